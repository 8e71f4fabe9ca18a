import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AccountId, ThreadId } from "#core/model/ids.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { someRepository as repository } from "#testing/makers.ts";
import { type HeardRequest, jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const pull = { repository, number: 12 };
const none = { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
const rita = { type: "User", login: "rita", databaseId: 5 };
const time = "2026-01-01T09:00:00Z";

const pullNode = {
  id: "PR_1",
  number: 12,
  title: "A change",
  body: "",
  author: rita,
  createdAt: time,
  updatedAt: time,
  state: "OPEN",
  isDraft: false,
  mergeable: "MERGEABLE",
  headRefOid: "a".repeat(40),
  headRefName: "change",
  headRepository: null,
  isCrossRepository: true,
  baseRefName: "main",
  labels: none,
  reviewRequests: none,
  userContentEdits: none,
  forcePushes: { nodes: [] },
  baseChanges: { nodes: [] },
  comments: none,
  reviews: none,
  reviewThreads: none,
  reactions: none,
  statusCheckRollup: null,
};

function listOf(...nodes: readonly unknown[]): object {
  return { ...none, totalCount: nodes.length, nodes };
}

function seenAs(change: object): object {
  const pullRequest = { ...pullNode, ...change };
  return { repository: { databaseId: 7, nameWithOwner: "acme/tools", pullRequest } };
}

/** A GitHub that knows us, and whose GraphQL answers by a script. */
function connect(answer: (request: HeardRequest, index: number) => Response | null) {
  let asked = 0;
  const { fetch, heard } = scriptedFetch((request) => {
    if (request.path === "/user") return jsonAnswer({ id: 9, login: "drover", type: "User" });
    asked += 1;
    return answer(request, asked - 1);
  });
  const clock = stillClock(1_767_258_000_000);
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge: Forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
  return { forge, queries: () => heard.filter(({ path }) => path === "/graphql") };
}

async function kindOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => "none",
    (error: unknown) => (error instanceof ForgeError ? error.kind : "another"),
  );
}

function refusedAt(...path: readonly (string | number)[]): object {
  return { type: "FORBIDDEN", path, message: "Resource not accessible by integration" };
}

const contextsAt = ["repository", "pullRequest", "statusCheckRollup", "contexts", "nodes", 0];

const job = {
  type: "CheckRun",
  name: "build",
  status: "COMPLETED",
  conclusion: "FAILURE",
  startedAt: time,
  summary: null,
  checkSuite: { id: "CS_1", app: { databaseId: 15, slug: "github-actions" }, workflowRun: null },
};

describe("a part that the token may not see", () => {
  it("is left out where the pull can be judged without: a team that was asked for a review", async () => {
    const error = refusedAt("repository", "pullRequest", "reviewRequests", "nodes", 0, "requestedReviewer");
    const reviewRequests = listOf({ requestedReviewer: null }, { requestedReviewer: rita });
    const { forge } = connect(() => jsonAnswer({ data: seenAs({ reviewRequests }), errors: [error] }));
    const seen = await forge.fetchPull(pull);
    expect(seen.pull.requestedReviewers).toEqual([{ id: AccountId.parse("5"), login: "rita", kind: "person" }]);
  });

  it("is left out where it names the workflow of a check, and no check hides another", async () => {
    const again = { ...job, conclusion: "SUCCESS", checkSuite: { ...job.checkSuite, id: "CS_2" } };
    const statusCheckRollup = { contexts: listOf(job, again) };
    const errors = [refusedAt(...contextsAt, "checkSuite", "workflowRun")];
    const { forge } = connect(() => jsonAnswer({ data: seenAs({ statusCheckRollup }), errors }));
    const { checks } = await forge.fetchPull(pull);
    expect(checks.map(({ state }) => state)).toEqual(["failed", "passed"]);
    expect(new Set(checks.map(({ source }) => source)).size).toBe(2);
  });

  it("is an error where it could have been anything, and says which it was", async () => {
    const data = seenAs({ statusCheckRollup: { contexts: listOf(null) } });
    const { forge } = connect(() => jsonAnswer({ data, errors: [refusedAt(...contextsAt)] }));
    await expect(forge.fetchPull(pull)).rejects.toMatchObject({
      kind: "forbidden",
      message: expect.stringContaining("repository.pullRequest.statusCheckRollup.contexts.nodes.0"),
    });
  });
});

describe("an Enterprise server that is too old", () => {
  it.each([
    ["undefinedField", "Field 'fullDatabaseId' doesn't exist on type 'IssueComment'"],
    ["cannotSpreadFragment", "Fragment on Bot can't be spread inside RequestedReviewer"],
  ])("says what it does not know (%s), and the error what to do about it", async (code, message) => {
    const { forge, queries } = connect(() => jsonAnswer({ errors: [{ message, extensions: { code } }] }));
    await expect(forge.fetchPull(pull)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringMatching(/(fullDatabaseId|Bot).*GitHub Enterprise Server 3\.16 or newer/),
    });
    expect(queries()).toHaveLength(1);
  });
});

describe("a secondary limit", () => {
  const words = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";

  it.each([
    ["an error without a type", { errors: [{ message: words }] }],
    ["words in place of an answer", { message: words, documentation_url: "https://docs.github.test" }],
  ])("that comes with a success, as %s, is obeyed and not tried again", async (_, body) => {
    const { forge, queries } = connect(() => jsonAnswer(body));
    expect(await kindOf(forge.fetchPull(pull))).toBe("rate_limited");
    expect(queries()).toHaveLength(1);
  });
});

const Sized = z.object({ variables: z.object({ first: z.number().optional() }) });
const sizes = (requests: readonly HeardRequest[]) => requests.map(({ body }) => Sized.parse(body).variables.first);

describe("a query that is too much for GitHub", () => {
  it.each([
    ["a gateway that gave up", () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } })],
    ["an error in a success", () => jsonAnswer({ data: null, errors: [{ type: "RESOURCE_LIMITS_EXCEEDED" }] })],
    ["silence", () => null],
  ])("is asked for in smaller pages after %s", async (_, failure) => {
    const { forge, queries } = connect((__, index) => (index < 2 ? failure() : jsonAnswer({ data: seenAs({}) })));
    expect((await forge.fetchPull(pull)).pull.number).toBe(12);
    expect(sizes(queries())).toEqual([100, 25, 10]);
  });

  it("has no such variable where there are no pages", async () => {
    const { forge, queries } = connect(() => jsonAnswer({ data: {} }));
    await forge.resolveThread({ pull, thread: ThreadId.parse("PRRT_1") });
    expect(sizes(queries())).toEqual([undefined]);
  });
});

const remark = {
  fullDatabaseId: "41",
  author: rita,
  body: "Hm.",
  createdAt: time,
  lastEditedAt: null,
  state: "SUBMITTED",
};
const withheld = { ...none, totalCount: 1 };

/** A GitHub that counts what it does not show, unless it is asked for that alone. */
function connectTired(change: object, alone: object) {
  return connect(({ body }) => {
    const isWhole = Whole.safeParse(body).success;
    return jsonAnswer({ data: isWhole ? seenAs(change) : { node: alone } });
  });
}

const Whole = z.object({ variables: z.object({ number: z.number() }) });
const threads = {
  reviewThreads: listOf({ id: "PRRT_1", path: "a.txt", line: 1, isResolved: false, comments: withheld }),
};

describe("a list that is counted and not shown", () => {
  it("is asked for by itself: the remarks of a thread", async () => {
    const { forge } = connectTired(threads, { comments: listOf(remark) });
    expect((await forge.fetchPull(pull)).threads).toMatchObject([{ comments: [{ id: "r41" }] }]);
  });

  it("is asked for by itself: the comments of the pull", async () => {
    const alone = { headRefOid: "a".repeat(40), comments: listOf(remark) };
    const { forge } = connectTired({ comments: withheld }, alone);
    expect((await forge.fetchPull(pull)).comments).toMatchObject([{ id: "i41" }]);
  });

  const head = { headRefOid: "a".repeat(40) };

  it.each([
    ["labelsMax", { labels: withheld }, { ...head, labels: withheld }],
    ["threadCommentsMax", threads, { comments: withheld }],
    ["commentsMax", { comments: withheld }, { ...head, comments: withheld }],
    ["reactionsMax", { reactions: withheld }, { ...head, reactions: withheld }],
  ] as const)("is no empty one where it is withheld again: %s is reached", async (limit, change, alone) => {
    const { forge, queries } = connectTired(change, alone);
    expect((await forge.fetchPull(pull)).limitsReached).toEqual([limit]);
    expect(queries()).toHaveLength(2);
  });

  it("is another one where its count has changed: the pull did so during the look", async () => {
    const alone = { ...head, comments: { ...withheld, totalCount: 2 } };
    expect(await kindOf(connectTired({ comments: withheld }, alone).forge.fetchPull(pull))).toBe("unavailable");
  });
});
