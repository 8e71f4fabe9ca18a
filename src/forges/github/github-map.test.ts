import { describe, expect, it } from "vitest";
import { readActor, readPull, readReaction, readReview, readThread } from "#forges/github/github-map.ts";
import { PullAnswer, type PullNode } from "#forges/github/github-pull-schema.ts";
import { EditNode, ReviewNode, ThreadNode } from "#forges/github/github-schema.ts";
import { someRepository as repository, sha } from "#testing/makers.ts";

const time = "2026-01-01T09:00:00Z";
const later = "2026-01-01T10:00:00Z";
const empty = { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
const untold = { edits: [], labels: [], pushedAt: null };
const ada = { type: "User", login: "ada", databaseId: 3 };

/** As GitHub would answer it. */
function aPull(change: Readonly<Record<string, unknown>> = {}): PullNode {
  const pullRequest = {
    id: "PR_1",
    number: 12,
    title: "Add a parser",
    body: "It reads.",
    author: ada,
    createdAt: time,
    updatedAt: later,
    state: "OPEN",
    isDraft: false,
    mergeable: "UNKNOWN",
    headRefOid: sha(1),
    headRefName: "parser",
    headRepository: { nameWithOwner: "ada/tools" },
    isCrossRepository: true,
    baseRefName: "main",
    labels: empty,
    reviewRequests: empty,
    userContentEdits: empty,
    forcePushes: { nodes: [] },
    baseChanges: { nodes: [] },
    comments: empty,
    reviews: empty,
    reviewThreads: empty,
    reactions: empty,
    statusCheckRollup: null,
    ...change,
  };
  const answer = PullAnswer.parse({ repository: { databaseId: 7, nameWithOwner: "acme/tools", pullRequest } });
  const node = answer.repository?.pullRequest;
  if (node === null || node === undefined) throw new Error("no pull");
  return node;
}

describe("an account", () => {
  it("of a bot has the ending that everybody but GraphQL writes", () => {
    const bot = readActor({ type: "Bot", login: "drover", databaseId: "9" });
    expect(bot).toEqual({ id: "9", login: "drover[bot]", kind: "bot" });
    expect(readActor({ type: "Bot", login: "drover[bot]", databaseId: "9" }).login).toBe("drover[bot]");
  });

  it("that is gone is the ghost, and one without a number has no id that anybody else could have", () => {
    expect(readActor(null)).toEqual({ id: "ghost", login: "ghost", kind: "person" });
    expect(readActor({ type: "EnterpriseUserAccount", login: "ada" }).id).not.toMatch(/^\d+$/);
  });
});

describe("a pull", () => {
  it.each([
    ["OPEN", "open"],
    ["CLOSED", "closed"],
    ["MERGED", "merged"],
  ])("that is %s is %s", (state, expected) => {
    expect(readPull(repository, aPull({ state }), untold).state).toBe(expected);
  });

  it.each([
    ["MERGEABLE", "mergeable"],
    ["CONFLICTING", "conflicting"],
    ["UNKNOWN", "unknown"],
    ["A_NEW_WORD", "unknown"],
  ])("said to be %s is %s", (mergeable, kind) => {
    expect(readPull(repository, aPull({ mergeable }), untold).mergeability).toEqual({ kind });
  });

  it("is as old on its base as itself, or as the last change of it, or nobody can tell", () => {
    const moved = (base: string) => ({ baseChanges: { nodes: [{ createdAt: later, base }] } });
    expect(readPull(repository, aPull(), untold).base.since).toBe(Date.parse(time));
    expect(readPull(repository, aPull(moved("main")), untold).base.since).toBe(Date.parse(later));
    expect(readPull(repository, aPull(moved("release")), untold).base.since).toBeNull();
  });

  it("asks teams for reviews too, who are no accounts", () => {
    const nodes = [{ requestedReviewer: { type: "Team" } }, { requestedReviewer: ada }, { requestedReviewer: null }];
    const { requestedReviewers } = readPull(repository, aPull({ reviewRequests: { ...empty, nodes } }), untold);
    expect(requestedReviewers).toEqual([{ id: "3", login: "ada", kind: "person" }]);
  });

  it("has the history of its description oldest first, also within one second", () => {
    const newestFirst = [
      { editedAt: later, editor: ada, diff: "Third." },
      { editedAt: later, editor: null, diff: null },
      { editedAt: time, editor: ada, diff: "First." },
    ].map((edit) => EditNode.parse(edit));
    const { bodyEdits } = readPull(repository, aPull(), { edits: newestFirst, labels: [], pushedAt: null });
    expect(bodyEdits.map(({ by, body }) => [by, body])).toEqual([
      ["3", "First."],
      [null, null],
      ["3", "Third."],
    ]);
  });
});

describe("a review", () => {
  const review = { fullDatabaseId: "4", author: ada, body: "Hm.", createdAt: time, submittedAt: null, commit: null };

  it.each([
    ["APPROVED", "approved"],
    ["CHANGES_REQUESTED", "changes_requested"],
    ["COMMENTED", "commented"],
    ["DISMISSED", "dismissed"],
    ["PENDING", "pending"],
    ["A_NEW_WORD", "commented"],
  ])("that says %s is %s, and never more", (state, expected) => {
    expect(readReview(ReviewNode.parse({ ...review, state })).state).toBe(expected);
  });
});

describe("a thread", () => {
  const remark = { fullDatabaseId: 8, author: ada, body: "Why?", createdAt: time, lastEditedAt: null };
  const thread = { id: "PRRT_1", path: "a.txt", line: null, isResolved: false };

  const read = (nodes: readonly unknown[]) => {
    const node = ThreadNode.parse({ ...thread, comments: { ...empty, nodes } });
    return readThread(node, node.comments.nodes);
  };

  it("shows no remark of a review that was not submitted, and is not there without others", () => {
    const nodes = [
      { ...remark, state: "PENDING" },
      { ...remark, fullDatabaseId: 9, state: "SUBMITTED" },
    ];
    expect(read(nodes)?.comments.map(({ id }) => id)).toEqual(["r9"]);
    expect(read(nodes.slice(0, 1))).toBeUndefined();
  });

  it("tells the lines it was made on, but none where they are on two sides, of a whole file or of an unknown commit", () => {
    const oid = "a".repeat(40);
    const hunk = "@@ -1,2 +1,3 @@\n a\n+b\n+c";
    const made = { ...remark, state: "SUBMITTED", diffHunk: hunk, originalCommit: { oid } };
    const range = { originalLine: 3, originalStartLine: 2, diffSide: "RIGHT", startDiffSide: "RIGHT" };
    const remarkedOf = (over: object, node: object = made) => {
      const whole = ThreadNode.parse({ ...thread, ...range, ...over, comments: { ...empty, nodes: [node] } });
      return readThread(whole, whole.comments.nodes)?.remarked;
    };
    expect(remarkedOf({})).toEqual({ commit: oid, side: "new", first: 2, last: 3, text: "b\nc" });
    expect(remarkedOf({ startDiffSide: "LEFT" })).toBeNull();
    expect(remarkedOf({ originalLine: null, originalStartLine: null, startDiffSide: null })).toBeNull();
    expect(remarkedOf({ diffSide: "SOME" })).toBeNull();
    expect(remarkedOf({}, { ...made, originalCommit: null })).toBeNull();
    expect(remarkedOf({}, { ...made, diffHunk: "" })?.text).toBeNull();
  });
});

describe("a reaction", () => {
  it("is dropped if its picture is unknown or nobody gave it", () => {
    const createdAt = readPull(repository, aPull(), untold).createdAt;
    const user = { type: "User", login: "ada", databaseId: "3" };
    expect(readReaction({ content: "THUMBS_UP", createdAt, user })?.content).toBe("+1");
    expect(readReaction({ content: "PARTY", createdAt, user })).toBeUndefined();
    expect(readReaction({ content: "THUMBS_UP", createdAt, user: null })).toBeUndefined();
  });
});
