import { describe, expect, it } from "vitest";
import { readEvent } from "#app/run/read-event.ts";

const own = { repo: { full_name: "acme/tools" } };
const foreign = { repo: { full_name: "eve/tools" } };

function pullEvent(head: object, more: object = {}): string {
  const repository = { full_name: "acme/tools" };
  return JSON.stringify({
    repository,
    pull_request: { number: 7, head, base: own },
    sender: { login: "ada" },
    ...more,
  });
}

describe("the event of a job", () => {
  it("says which pull it is about", () => {
    expect(readEvent({ name: "pull_request", text: pullEvent(own) })).toEqual({
      kind: "pull",
      repository: "acme/tools",
      number: 7,
      isReadOnly: false,
    });
    const issue = { issue: { number: 8, pull_request: { url: "x" } }, repository: { full_name: "acme/tools" } };
    expect(readEvent({ name: "issue_comment", text: JSON.stringify(issue) })).toMatchObject({ number: 8 });
  });

  it.each([
    ["a fork", "pull_request", foreign, {}, true],
    ["a fork that is gone", "pull_request", { repo: null }, {}, true],
    ["a remark on a fork's pull", "pull_request_review_comment", foreign, {}, true],
    ["a review of a fork's pull", "pull_request_review", foreign, {}, true],
    [
      "a review that was submitted or edited",
      "pull_request_review",
      own,
      { action: "edited", review: { id: 3 } },
      false,
    ],
    ["a remark that was edited", "pull_request_review_comment", own, { action: "edited", comment: { id: 3 } }, false],
    ["Dependabot", "pull_request", own, { sender: { login: "dependabot[bot]" } }, true],
    [
      "Dependabot, in the workflow of the base",
      "pull_request_target",
      own,
      { sender: { login: "dependabot[bot]" } },
      true,
    ],
    ["a fork, in the workflow of the base", "pull_request_target", foreign, {}, false],
    ["a fork, in an event that somebody kept", undefined, foreign, {}, true],
  ])("tells whether the job may write: %s", (_, name, head, more, isReadOnly) => {
    expect(readEvent({ name, text: pullEvent(head, more) })).toMatchObject({ kind: "pull", number: 7, isReadOnly });
  });

  it("may be about no pull at all", () => {
    expect(readEvent({ name: "issue_comment", text: '{"issue":{"number":3}}' })).toEqual({
      kind: "no_pull",
      why: "#3 is an issue, not a pull",
    });
    expect(readEvent({ name: "push", text: "{}" })).toEqual({ kind: "no_pull", why: "the event push names no pull" });
  });

  it.each(["", "[]", '{"pull_request":{"number":"7"}}'])("that is none is not guessed at: %j", (text) => {
    expect(readEvent({ name: "pull_request", text }).kind).toBe("unreadable");
  });
});
