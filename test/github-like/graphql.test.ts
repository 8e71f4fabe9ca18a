import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const remark = { path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" } as const;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.github.close());

async function ofPull(inner: string, token?: string) {
  const query = `{ repository(owner: "mia", name: "tools") { pullRequest(number: 1) { ${inner} } } }`;
  const { body } = await stage.graphql(query, {}, token);
  expect(body.errors).toBeUndefined();
  return body.data.repository.pullRequest;
}

async function change(mutation: string, input: object, token?: string) {
  const [name = ""] = mutation.split(" ");
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const { body } = await stage.graphql(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) ${mutation.slice(name.length)} }`,
    { input },
    token,
  );
  return { told: body.data?.[name], error: body.errors?.[0] };
}

describe("a pull in GraphQL", () => {
  it("has everything that one query can ask for", async () => {
    const { ada, rita, pull } = stage;
    await rita.comment(pull, "Hello.");
    await rita.review(pull, { event: "approve", body: "Good.", remarks: [remark] });
    await rita.react(pull, "heart");
    await ada.editPull(pull, { body: "Second.", labels: ["one"] });
    await rita.report({ repository: stage.repository, commit: stage.head, name: "build", state: "failed" });
    const actor = "author { __typename login ... on User { databaseId } ... on Bot { databaseId } }";
    const told = await ofPull(`fullDatabaseId number title body isDraft state merged closed mergeable mergeStateStatus
      headRefOid headRefName baseRefName baseRefOid isCrossRepository createdAt updatedAt lastEditedAt totalCommentsCount
      reviewDecision isInMergeQueue mergeQueueEntry { id } autoMergeRequest { enabledAt } mergeCommit { oid } ${actor}
      headRepository { nameWithOwner } baseRepository { databaseId } additions deletions changedFiles
      comments(first: 9) { nodes { body isMinimized reactionGroups { content reactors { totalCount } } ${actor} } }
      reviews(first: 9) { nodes { state body commit { oid } comments(first: 1) { nodes { body path line } } ${actor} } }
      reviewThreads(first: 9) { nodes { isResolved isOutdated path line comments(first: 1) { nodes { state replyTo { id } } } } }
      reactions(first: 9) { nodes { content user { login } } } labels(first: 9) { nodes { name } }
      reviewRequests(first: 9) { nodes { requestedReviewer { ... on User { login } } } }
      userContentEdits(first: 9) { nodes { editedAt diff editor { login } } }
      commits(last: 1) { nodes { commit { oid statusCheckRollup { state } } } }
      statusCheckRollup { state contexts(first: 9) { nodes { __typename ... on StatusContext { context state } } } }
      files(first: 9) { nodes { path changeType } }`);
    expect(told).toMatchObject({
      title: "A change",
      body: "Second.",
      state: "OPEN",
      mergeable: "MERGEABLE",
      mergeStateStatus: "UNSTABLE",
      headRefOid: stage.head,
      totalCommentsCount: 2,
      reviewDecision: "APPROVED",
      author: { __typename: "User", login: "ada", databaseId: Number(stage.accounts.ada.id) },
      comments: { nodes: [{ body: "Hello.", author: { login: "rita" } }] },
      reviews: { nodes: [{ state: "APPROVED", comments: { nodes: [{ path: "a.txt", line: 2 }] } }] },
      reviewThreads: { nodes: [{ isResolved: false, isOutdated: false, line: 2 }] },
      reactions: { nodes: [{ content: "HEART", user: { login: "rita" } }] },
      labels: { nodes: [{ name: "one" }] },
      userContentEdits: { nodes: [{ diff: "Second." }, { diff: "First." }] },
      statusCheckRollup: { state: "FAILURE", contexts: { nodes: [{ context: "build", state: "FAILURE" }] } },
      files: { nodes: [{ path: "a.txt", changeType: "MODIFIED" }] },
    });
    expect(told.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(stage.github.violations).toEqual([]);
  });

  it("calls bots by their names without the suffix that REST adds", async () => {
    await stage.sandbox.as(stage.accounts.drover).comment(stage.pull, "Beep.");
    const { comments } = await ofPull("comments(first: 1) { nodes { author { __typename login } } }");
    expect(comments.nodes[0].author).toEqual({ __typename: "Bot", login: "drover" });
    const { body } = await stage.ask("GET", "/repos/mia/tools/issues/1/comments");
    expect([body[0].user.login, body[0].user.type]).toEqual(["drover[bot]", "Bot"]);
  });

  it("tells pushes by force, other bases and drafts in its timeline", async () => {
    const { ada, pull, repository } = stage;
    const base = (await stage.ask("GET", "/repos/mia/tools/activity?ref=main")).body[0].after;
    await ada.push({ repository, branch: "change", changes: { "a.txt": "ONE\n" }, message: "More" });
    await ada.push({ repository, branch: "next", changes: { "z.txt": "z\n" }, message: "Next", from: base });
    await ada.forcePush({ repository, branch: "change", to: stage.head });
    await ada.editPull(pull, { base: "next" });
    await ada.editPull(pull, { isDraft: true });
    await ada.editPull(pull, { isDraft: false });
    const { timelineItems } =
      await ofPull(`timelineItems(first: 20, itemTypes: [PULL_REQUEST_COMMIT, HEAD_REF_FORCE_PUSHED_EVENT,
      BASE_REF_CHANGED_EVENT, READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT]) { nodes { __typename
      ... on HeadRefForcePushedEvent { afterCommit { oid } } ... on BaseRefChangedEvent { currentRefName } } }`);
    expect(timelineItems.nodes).toEqual([
      { __typename: "PullRequestCommit" },
      { __typename: "PullRequestCommit" },
      { __typename: "HeadRefForcePushedEvent", afterCommit: { oid: stage.head } },
      { __typename: "BaseRefChangedEvent", currentRefName: "next" },
      { __typename: "ConvertToDraftEvent" },
      { __typename: "ReadyForReviewEvent" },
    ]);
  });
});

describe("what is wrong with a query", () => {
  it("is a violation where a field is asked for that is not served, and never a silent null", async () => {
    const query = `{ repository(owner: "mia", name: "tools") { name stargazerCount } }`;
    const { body } = await stage.graphql(query);
    expect(body.errors[0].message).toContain("Repository.stargazerCount is asked for and not served");
    expect(stage.github.violations.join("\n")).toContain("Repository.stargazerCount is asked for and not served");
  });

  it.each([
    ["no GraphQL", "{"],
    ["a field that GitHub does not have", "{ viewer { shoeSize } }"],
    ["more than a hundred", `{ viewer { repositories(first: 101) { nodes { id } } } }`],
  ])("is an error in an answer of 200, and a violation: %s", async (_, query) => {
    const { status, body } = await stage.graphql(query);
    expect([status, body.data, body.errors.length]).toEqual([200, undefined, 1]);
    expect(stage.github.violations).toHaveLength(1);
  });

  it("spoils what is missing, not what is there", async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id } none: repository(owner: "mia", name: "none") { id } viewer { login } }`;
    const { id } = await ofPull("id");
    const { status, body } = await stage.graphql(query, { ids: [id, "PR_kwDOnothing"] });
    expect(status).toBe(200);
    expect(body.data).toEqual({ nodes: [{ id }, null], none: null, viewer: { login: "rita" } });
    expect(body.errors.map((error: { type: string; path: string[] }) => [error.type, error.path])).toEqual([
      ["NOT_FOUND", ["none"]],
      ["NOT_FOUND", ["nodes", 1]],
    ]);
    expect(stage.github.violations).toEqual([]);
  });
});

describe("a mutation", () => {
  it("resolves a thread and opens it again", async () => {
    await stage.rita.review(stage.pull, { event: "comment", body: "", remarks: [remark] });
    const thread = (await ofPull("reviewThreads(first: 1) { nodes { id } }")).reviewThreads.nodes[0].id;
    const resolved = await change("resolveReviewThread { thread { isResolved resolvedBy { login } } }", {
      threadId: thread,
    });
    expect(resolved.told.thread).toEqual({ isResolved: true, resolvedBy: { login: "rita" } });
    expect(stage.sandbox.look(stage.pull).threads[0]?.isResolved).toBe(true);
    const opened = await change("unresolveReviewThread { thread { isResolved } }", { threadId: thread });
    expect(opened.told.thread.isResolved).toBe(false);
  });

  it("reacts, replies, edits a review and folds a comment away", async () => {
    await stage.rita.comment(stage.pull, "Hello.");
    await stage.rita.review(stage.pull, { event: "comment", body: "Hm.", remarks: [remark] });
    const told = await ofPull(
      "id comments(first: 1) { nodes { id } } reviews(first: 1) { nodes { id } } reviewThreads(first: 1) { nodes { id comments(first: 1) { nodes { id } } } }",
    );
    const [comment, review, thread] = [
      told.comments.nodes[0].id,
      told.reviews.nodes[0].id,
      told.reviewThreads.nodes[0],
    ];
    for (const subjectId of [told.id, comment, thread.comments.nodes[0].id]) {
      const { told: reaction } = await change("addReaction { reaction { content user { login } } }", {
        subjectId,
        content: "ROCKET",
      });
      expect(reaction.reaction).toEqual({ content: "ROCKET", user: { login: "rita" } });
    }
    await change("addPullRequestReviewThreadReply { comment { body } }", {
      pullRequestReviewThreadId: thread.id,
      body: "So.",
    });
    await change("updatePullRequestReview { pullRequestReview { body } }", {
      pullRequestReviewId: review,
      body: "Hm, hm.",
    });
    await change("minimizeComment { minimizedComment { isMinimized } }", {
      subjectId: comment,
      classifier: "OUTDATED",
    });
    const truth = stage.sandbox.look(stage.pull);
    expect([truth.reactions.length, truth.commentReactions.length, truth.reviews[0]?.body]).toEqual([1, 2, "Hm, hm."]);
    expect(truth.threads[0]?.comments.map(({ body }) => body)).toEqual(["Why?", "So."]);
    const { comments } = await ofPull("comments(first: 1) { nodes { isMinimized minimizedReason } }");
    expect(comments.nodes[0]).toEqual({ isMinimized: true, minimizedReason: "outdated" });
    expect(stage.github.violations).toEqual([]);
  });

  it("switches auto-merge on only where something is still missing", async () => {
    const { id } = await ofPull("id");
    const clean = await change("enablePullRequestAutoMerge { clientMutationId }", { pullRequestId: id });
    expect(clean.error).toMatchObject({
      type: "UNPROCESSABLE",
      message: "Pull request Pull request is in clean status",
    });
    await stage.ada.editPull(stage.pull, { isDraft: true });
    await change("enablePullRequestAutoMerge { clientMutationId }", { pullRequestId: id, mergeMethod: "SQUASH" });
    expect((await ofPull("autoMergeRequest { mergeMethod }")).autoMergeRequest.mergeMethod).toBe("SQUASH");
    await change("disablePullRequestAutoMerge { clientMutationId }", { pullRequestId: id });
    expect((await ofPull("autoMergeRequest { mergeMethod }")).autoMergeRequest).toBeNull();
  });

  it("queues a pull at the head that it was told, where there is a queue", async () => {
    const { id } = await ofPull("id");
    const none = await change("enqueuePullRequest { clientMutationId }", { pullRequestId: id });
    expect(none.error.type).toBe("UNPROCESSABLE");
    stage.github.requireQueue(stage.repository, "main");
    const moved = await change("enqueuePullRequest { clientMutationId }", {
      pullRequestId: id,
      expectedHeadOid: "a".repeat(40),
    });
    expect(moved.error.message).toContain("Head branch was modified");
    await change("enqueuePullRequest { mergeQueueEntry { position } }", {
      pullRequestId: id,
      expectedHeadOid: stage.head,
    });
    expect((await ofPull("isInMergeQueue")).isInMergeQueue).toBe(true);
    await change("dequeuePullRequest { clientMutationId }", { id });
    expect((await ofPull("isInMergeQueue")).isInMergeQueue).toBe(false);
  });
});
