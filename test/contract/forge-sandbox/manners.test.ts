import { describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { createCheckRun, createStatus, reactToComment } from "#forges/sandbox/write-endpoints.ts";
import { ForgeError } from "#ports/forge.ts";
import { type Harness, kindsSince, openHarness, pushTo, remark } from "./harness.ts";

const manners = ["github", "gitea"] as const;

function neutral({ pull, head }: Harness) {
  return { pull, head, state: "neutral", words: "Suppressed." } as const;
}

describe("the gate", () => {
  it("is a check run on GitHub, where neutral is a state", async () => {
    const harness = await openHarness("github");
    await harness.drover.setGate(neutral(harness));
    expect(harness.sandbox.look(harness.pull).gates).toMatchObject([{ state: "neutral", words: "Suppressed." }]);
    expect((await harness.drover.fetchPull(harness.pull)).gate).toMatchObject({
      state: "neutral",
      words: "Suppressed.",
    });
  });

  it("is a status on Gitea, where neutral is a success with words, and is read back as what was meant", async () => {
    const harness = await openHarness("gitea");
    await harness.drover.setGate(neutral(harness));
    expect(harness.sandbox.look(harness.pull).gates).toMatchObject([
      { state: "success", words: "neutral: Suppressed." },
    ]);
    expect((await harness.drover.fetchPull(harness.pull)).gate).toMatchObject({
      state: "neutral",
      words: "Suppressed.",
    });
  });

  it("is a status too for a person's token on GitHub, which makes no check runs", async () => {
    const { sandbox, accounts, pull, head } = await openHarness("github");
    const rita = sandbox.clientOf(accounts.rita);
    expect((await rita.fetchIdentity()).capabilities.hasNeutralGate).toBe(false);
    await rita.setGate({ pull, head, state: "failure", words: "No." });
    expect((await rita.fetchPull(pull)).gate).toMatchObject({ state: "failure", words: "No." });
  });

  it("belongs to the commit: another head has none, and a sibling with the same head has it", async () => {
    const harness = await openHarness("github");
    const { people, repository, drover, pull, head } = harness;
    await people.ada.forcePush({ repository, branch: "twin", to: head });
    const twin = await people.ada.openPull({ repository, branch: "twin", base: "main", title: "Twin", body: "" });
    await drover.setGate({ pull, head, state: "success", words: "Good." });
    expect((await drover.fetchPull(twin)).gate).toMatchObject({ state: "success" });
    await pushTo(harness, "b.txt");
    expect((await drover.fetchPull(pull)).gate).toBeNull();
  });

  it("of another account under the same name is a check like any other", async () => {
    const { sandbox, accounts, drover, pull, head } = await openHarness("gitea");
    await sandbox.clientOf(accounts.rita).setGate({ pull, head, state: "failure", words: "No." });
    const seen = await drover.fetchPull(pull);
    expect(seen.gate).toBeNull();
    expect(seen.checks).toMatchObject([{ source: "rita", state: "failed" }]);
  });

  it("keeps words that are longer than a title may be", async () => {
    const { drover, api, repository, pull, head } = await openHarness("github");
    const words = "x".repeat(300);
    await drover.setGate({ pull, head, state: "pending", words });
    expect((await drover.fetchPull(pull)).gate?.words).toBe(words);
    const request = { commit: head, name: "x", status: "in_progress", conclusion: null } as const;
    const output = { title: words, summary: "" };
    expect(await api.call(createCheckRun, repository, { ...request, output })).toMatchObject({ status: 422 });
  });

  it("has no neutral status on the wire of Gitea, and no check runs", async () => {
    const { api, repository, head } = await openHarness("gitea");
    const request = { commit: head, name: "x", status: "completed", conclusion: "neutral" } as const;
    const run = { ...request, output: { title: "", summary: "" } };
    expect(await api.call(createCheckRun, repository, run)).toMatchObject({ kind: "refusal", status: 404 });
    const status = { commit: head, context: "x", state: "success", description: "" } as const;
    expect(await api.call(createStatus, repository, status)).toMatchObject({ kind: "success" });
  });
});

describe("threads", () => {
  it.each(manners)("are resolved where the forge can: %s", async (manner) => {
    for (const resolvesThreads of [true, false]) {
      const { people, drover, pull, sandbox } = await openHarness(manner, { resolvesThreads });
      await people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [remark] });
      const [thread] = sandbox.look(pull).threads;
      if (thread === undefined) throw new Error("no thread");
      expect((await drover.fetchIdentity()).capabilities.mayResolveThreads).toBe(resolvesThreads);
      const refusal = await drover.resolveThread({ pull, thread: thread.id }).catch((error: unknown) => error);
      expect(refusal instanceof ForgeError && refusal.kind).toBe(resolvesThreads ? false : "refused");
      expect((await drover.fetchPull(pull)).threads).toMatchObject([{ isResolved: resolvesThreads }]);
    }
  });

  it.each(manners)("are the same ones in the history, in truth and through a client: %s", async (manner) => {
    const { drover, pull, head, sandbox, people } = await openHarness(manner);
    await drover.submitReview({ pull, head, event: "comment", body: "Two.", remarks: [remark, remark] });
    const [reviewed] = sandbox.history.slice(-1);
    const truth = sandbox.look(pull).threads.map(({ id }) => id);
    expect(reviewed?.what).toMatchObject({ kind: "reviewed", threads: truth });
    const [first, second] = truth;
    if (first === undefined || second === undefined) throw new Error("two threads, on one line");
    const reply = await drover.replyInThread({ pull, thread: second, body: "So." });
    await people.otto.reply(pull, second, "Yes.");
    const seen = (await drover.fetchPull(pull)).threads;
    expect(seen.map(({ id }) => id).sort()).toEqual([...truth].sort());
    const bodies = seen.find(({ id }) => id === second)?.comments.map(({ body }) => body);
    expect(bodies).toEqual(["Why?", "So.", "Yes."]);
    expect(seen.flatMap(({ comments }) => comments).map(({ id }) => id)).toContain(reply);
  });

  it("are gone when their last comment is", async () => {
    const { people, pull, sandbox } = await openHarness("github");
    await people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [remark] });
    const [thread] = sandbox.look(pull).threads;
    const [comment] = thread?.comments ?? [];
    if (thread === undefined || comment === undefined) throw new Error("no thread");
    const reply = await people.otto.reply(pull, thread.id, "So.");
    await people.mia.deleteComment(pull, comment.id);
    expect(sandbox.look(pull).threads).toMatchObject([{ id: thread.id, comments: [{ id: reply }] }]);
    await people.otto.deleteComment(pull, reply);
    expect(sandbox.look(pull).threads).toEqual([]);
  });
});

function fileOf(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

describe("the line of a thread", () => {
  it.each([
    ["follows what is written above it", fileOf("zero", "one", "TWO", "three", "four"), 3, 2],
    ["is gone with what stood there", fileOf("one", "2", "three", "four"), null, 2],
  ])("%s, where threads do that", async (_, content, followed, kept) => {
    for (const outdatesThreads of [true, false]) {
      const harness = await openHarness("github", { outdatesThreads });
      const { people, pull, drover } = harness;
      await people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [remark] });
      await pushTo(harness, "b.txt");
      expect((await drover.fetchPull(pull)).threads).toMatchObject([{ line: 2 }]);
      await pushTo(harness, "a.txt", content);
      expect((await drover.fetchPull(pull)).threads).toMatchObject([{ line: outdatesThreads ? followed : kept }]);
    }
  });

  it("is not followed over a rewritten history", async () => {
    const harness = await openHarness("github");
    const { people, pull, drover, repository } = harness;
    const unchanged = { ...remark, lines: { first: 1, last: 1 } };
    await people.rita.review(pull, { event: "comment", body: "Hm.", remarks: [unchanged] });
    await people.mia.push({ repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    await people.ada.rebase(pull);
    expect((await drover.fetchPull(pull)).threads).toMatchObject([{ line: null }]);
  });
});

describe("reactions", () => {
  it.each(manners)("are there once, and move no time: %s", async (manner) => {
    const harness = await openHarness(manner);
    const { people, drover, pull, sandbox, api, repository } = harness;
    const comment = await people.otto.comment(pull, "Hello.");
    const { changedAt } = await drover.fetchPull(pull);
    harness.pass(10 * secondMs);
    const before = sandbox.history.length;
    await people.rita.react(pull, "+1");
    await people.rita.react(pull, "+1");
    await drover.addReaction({ pull, comment, content: "eyes" });
    const again = await api.call(reactToComment, repository, { number: pull.number, comment, content: "eyes" });
    expect(again).toMatchObject({ body: "known" });
    expect(kindsSince(harness, before)).toEqual(["reacted", "reacted"]);
    expect((await drover.fetchPull(pull)).changedAt).toBe(changedAt);
    await people.rita.unreact(pull, "+1");
    await people.rita.unreact(pull, "+1");
    expect(kindsSince(harness, before)).toEqual(["reacted", "reacted", "unreacted"]);
    expect(sandbox.look(pull)).toMatchObject({ reactions: [], commentReactions: [{ comment, content: "eyes" }] });
  });
});

describe("requests for reviews", () => {
  it.each(manners)("last until they are answered, and are no reviews: %s", async (manner) => {
    const { drover, people, pull, accounts, sandbox } = await openHarness(manner);
    await drover.requestReviews({ pull, reviewers: [accounts.rita] });
    await drover.requestReviews({ pull, reviewers: [accounts.rita] });
    const seen = await drover.fetchPull(pull);
    expect([seen.pull.requestedReviewers.map(({ id }) => id), seen.reviews]).toEqual([[accounts.rita.id], []]);
    expect(sandbox.history.filter(({ what }) => what.kind === "review_requested")).toHaveLength(1);
    await people.rita.review(pull, { event: "approve", body: "" });
    expect((await drover.fetchPull(pull)).pull.requestedReviewers).toEqual([]);
    const own = drover.requestReviews({ pull, reviewers: [accounts.ada] });
    await expect(own).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("dismissing", () => {
  it.each(manners)("needs the right to write, and a verdict: %s", async (manner) => {
    const { drover, people, pull, head, sandbox, accounts } = await openHarness(manner);
    const review = await drover.submitReview({ pull, head, event: "approve", body: "Good.", remarks: [] });
    const remarkOnly = await drover.submitReview({ pull, head, event: "comment", body: "Hm.", remarks: [] });
    const words = "No longer.";
    const otto = sandbox.clientOf(accounts.otto);
    await expect(otto.dismissReview({ pull, review, words })).rejects.toMatchObject({ kind: "forbidden" });
    await expect(people.otto.dismissReview(pull, review)).rejects.toThrow("write");
    await drover.dismissReview({ pull, review, words });
    await drover.dismissReview({ pull, review, words });
    const wrong = drover.dismissReview({ pull, review: remarkOnly, words });
    await expect(wrong).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
    const states = (await drover.fetchPull(pull)).reviews.map(({ state }) => state);
    expect([...states].sort()).toEqual(["commented", "dismissed"]);
    expect(sandbox.history.filter(({ what }) => what.kind === "review_dismissed")).toHaveLength(1);
  });
});
