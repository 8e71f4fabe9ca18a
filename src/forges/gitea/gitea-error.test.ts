import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { forgeError, malformedResponse, messageOf } from "#forges/gitea/gitea-error.ts";
import type { TransportResponse } from "#forges/gitea/gitea-transport.ts";
import type { ForgeError } from "#ports/forge.ts";

const heardAt = instant(1_000_000);

function answered(status: number, headers: Record<string, string> = {}, data: unknown = null): TransportResponse {
  return { kind: "answered", status, headers: new Headers(headers), data, askedAt: heardAt, heardAt };
}

function errorOf(answer: Parameters<typeof forgeError>[0]["answer"], isWrite = true): ForgeError {
  return forgeError({ what: "mia/tools#3: create comment", isWrite, answer });
}

describe("an error of Gitea", () => {
  it.each([
    [400, "refused"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
    [405, "refused"],
    [409, "conflict"],
    [410, "not_found"],
    [422, "refused"],
    [423, "refused"],
    [307, "refused"],
  ])("with %i is %s, and nothing was done", (status, kind) => {
    expect(errorOf(answered(status))).toMatchObject({ name: "ForgeError", kind, isApplied: "no", retryAt: null });
  });

  it.each([408, 500, 502, 503, 504])("with %i leaves open whether a write was done", (status) => {
    expect(errorOf(answered(status))).toMatchObject({ kind: "unavailable", isApplied: "unknown" });
    expect(errorOf(answered(status), false)).toMatchObject({ kind: "unavailable", isApplied: "no" });
  });

  it("without an answer leaves it open too, and keeps the cause", () => {
    const cause = new Error("broken");
    const silence = { kind: "silence", cause, why: "git.example did not answer", isUnreached: false } as const;
    expect(errorOf(silence)).toMatchObject({ kind: "unavailable", isApplied: "unknown", cause });
  });

  it("that does not read leaves it open as well", () => {
    expect(malformedResponse("x", true, null)).toMatchObject({ kind: "malformed", isApplied: "unknown" });
    expect(malformedResponse("x", false, null)).toMatchObject({ kind: "malformed", isApplied: "no" });
  });

  it("with 429 says how long to wait, on this machine's clock", () => {
    expect(errorOf(answered(429, { "retry-after": "90" }))).toMatchObject({
      kind: "rate_limited",
      isApplied: "no",
      retryAt: 1_090_000,
    });
    const date = "Thu, 01 Jan 2026 10:00:00 GMT";
    const until = { date, "retry-after": "Thu, 01 Jan 2026 10:00:30 GMT" };
    expect(errorOf(answered(429, until)).retryAt).toBe(1_030_000);
    expect(errorOf(answered(429, { "retry-after": "soon" })).retryAt).toBeNull();
    expect(errorOf(answered(429)).retryAt).toBeNull();
  });

  it("says who, where and Gitea's own words, on one line", () => {
    const data = { message: "token does not\nhave scope", url: "x", errors: ["write:issue"] };
    expect(errorOf(answered(403, {}, data)).message).toBe(
      "gitea mia/tools#3: create comment: 403 token does not have scope: write:issue",
    );
    expect(messageOf("<html>")).toBe("");
    expect(messageOf({ message: "x".repeat(1_000) })).toHaveLength(300);
  });
});
