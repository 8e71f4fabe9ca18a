import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { forgeError, isTooQuick, messageOf } from "#forges/github/github-error.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";

function answered(status: number, data: unknown): TransportResponse {
  const at = instant(1_767_258_000_000);
  return { kind: "answered", status, headers: {}, data, askedAt: at, heardAt: at };
}

function kindOf(status: number, data: unknown): string {
  return forgeError({ what: "acme/tools#12: create comment", isWrite: true, answer: answered(status, data) }).kind;
}

describe("a refusal", () => {
  it("that says it was too quick is a limit, wherever it says so", () => {
    const listed = {
      resource: "IssueComment",
      code: "unprocessable",
      field: "data",
      message: "was submitted too quickly",
    };
    expect(kindOf(422, { message: "Validation Failed", errors: [listed] })).toBe("rate_limited");
    expect(kindOf(422, { message: "Unprocessable Entity", errors: ["was submitted too quickly"] })).toBe(
      "rate_limited",
    );
    expect(kindOf(422, { message: "Validation Failed", errors: [{ ...listed, message: "is too long" }] })).toBe(
      "refused",
    );
    expect(isTooQuick(answered(403, { message: "was submitted too quickly" }))).toBe(false);
  });

  it("in the words of an older Enterprise server is a limit", () => {
    const message = "You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.";
    expect(kindOf(403, { message })).toBe("rate_limited");
  });
});

describe("the words of a refusal", () => {
  it.each([
    [{ message: "Not Found" }, "Not Found"],
    [
      { message: "Unprocessable Entity", errors: ["Can not approve your own pull request"] },
      "Unprocessable Entity: Can not approve your own pull request",
    ],
    [
      { message: "Validation Failed", errors: [{ resource: "Label", code: "invalid", field: "name" }] },
      "Validation Failed: name invalid",
    ],
    [
      { message: "Validation Failed", errors: [{ code: "custom", message: "Body\nis too long" }, 7] },
      "Validation Failed: Body is too long",
    ],
    [{ message: "Validation Failed", errors: "odd" }, "Validation Failed"],
    ["<html>", ""],
  ])("in %j are %j", (data, words) => {
    expect(messageOf(data)).toBe(words);
  });
});
