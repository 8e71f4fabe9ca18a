import { describe, expect, it } from "vitest";
import { wholeSecond } from "#core/model/instant.ts";
import { defaultQuirks } from "#forges/sandbox/create-sandbox.ts";
import { listComments, listReviewsEndpoint } from "#forges/sandbox/read-endpoints.ts";
import { openHarness, pushTo, remark } from "./harness.ts";

const manners = ["github", "gitea"] as const;

describe("the text of an edited review", () => {
  it.each([
    ["gitea", true, "Before."],
    ["gitea", false, "After."],
    ["github", true, "Before."],
    ["github", false, "After."],
  ] as const)("in the list of %s, listing original bodies %s", async (manner, listsOriginalBodies, listed) => {
    const { drover, api, repository, pull, head } = await openHarness(manner, { listsOriginalBodies });
    const review = await drover.submitReview({ pull, head, event: "comment", body: "Before.", remarks: [] });
    await drover.editReview({ pull, review, body: "After." });
    const answer = await api.call(listReviewsEndpoint, repository, { number: pull.number, page: 1 });
    expect(answer).toMatchObject({ body: { items: [{ body: listed }] } });
  });

  it.each(manners)("is the one that people see, for whoever reads with a client of %s", async (manner) => {
    const { drover, pull, head } = await openHarness(manner);
    const review = await drover.submitReview({ pull, head, event: "comment", body: "Before.", remarks: [remark] });
    await drover.editReview({ pull, review, body: "After." });
    expect((await drover.fetchPull(pull)).reviews.map(({ body }) => body)).toEqual(["After."]);
  });
});

describe("times", () => {
  it.each(manners)("are cut to whole seconds, though the forge knows better: %s", async (manner) => {
    const harness = await openHarness(manner);
    harness.pass(123);
    await harness.people.otto.comment(harness.pull, "Now.");
    const [comment] = (await harness.drover.fetchPull(harness.pull)).comments;
    const [truth] = harness.sandbox.look(harness.pull).comments;
    expect(truth?.createdAt).toBe(harness.now());
    expect(comment?.createdAt).toBe(truth && wholeSecond(truth.createdAt));
    expect(comment?.createdAt).not.toBe(truth?.createdAt);
  });

  it.each(manners)("are exact with the quirk off: %s", async (manner) => {
    const harness = await openHarness(manner, { cutsTimesToSeconds: false });
    harness.pass(123);
    await harness.people.otto.comment(harness.pull, "Now.");
    expect((await harness.drover.fetchPull(harness.pull)).comments.map(({ createdAt }) => createdAt)).toEqual([
      harness.now(),
    ]);
  });

  it("hide an edit within the same second", async () => {
    const harness = await openHarness("github");
    const comment = await harness.people.otto.comment(harness.pull, "Now.");
    harness.pass(100);
    await harness.people.otto.editComment(harness.pull, comment, "Now!");
    expect((await harness.drover.fetchPull(harness.pull)).comments).toMatchObject([{ body: "Now!", editedAt: null }]);
  });

  it("of the observation is the server's, before anything was read", async () => {
    const harness = await openHarness("github");
    expect((await harness.drover.fetchPull(harness.pull)).observedAt).toBe(harness.now());
  });

  it.each([true, false])("of pushes and texts are hidden or not: %s", async (hidesPushTimes) => {
    const harness = await openHarness("gitea", { hidesPushTimes, cutsTimesToSeconds: false });
    await pushTo(harness, "b.txt");
    const pushedAt = harness.now();
    harness.pass(1_000);
    await harness.people.ada.editPull(harness.pull, { body: "Second." });
    const { pull } = await harness.drover.fetchPull(harness.pull);
    expect(pull.head.pushedAt).toBe(hidesPushTimes ? null : pushedAt);
    expect(pull.bodyEdits.map(({ body }) => body)).toEqual(hidesPushTimes ? [] : ["First.", "Second."]);
  });
});

describe("what a forge does not tell", () => {
  it.each([true, false])("is who is a bot, with the quirk %s", async (hidesAccountKinds) => {
    const harness = await openHarness("gitea", { hidesAccountKinds });
    await harness.drover.createComment({ pull: harness.pull, body: "I am." });
    const kind = hidesAccountKinds ? "person" : "bot";
    expect((await harness.drover.fetchIdentity()).bot).toEqual({ ...harness.accounts.drover, kind });
    expect((await harness.drover.fetchPull(harness.pull)).comments.map(({ author }) => author.kind)).toEqual([kind]);
  });

  it.each([true, false])("are permissions, unless one is an admin or asks about oneself: %s", async (hides) => {
    const harness = await openHarness("gitea", { hidesPermissions: hides });
    const { sandbox, drover, repository, accounts } = harness;
    const ask = (account: typeof accounts.ada) => drover.fetchPermission({ repository, account });
    expect(await ask(accounts.ada)).toBe(hides ? "undetermined" : "write");
    expect(await ask(accounts.drover)).toBe("write");
    sandbox.setPermission({ repository, account: accounts.drover, permission: "admin" });
    expect(await ask(accounts.otto)).toBe("read");
  });
});

describe("pages", () => {
  it.each(manners)("have the size of the forge: %s", async (manner) => {
    const { pageSize } = defaultQuirks[manner];
    const { api, repository, pull, people, drover } = await openHarness(manner);
    for (let index = 0; index <= pageSize; index++) await people.otto.comment(pull, `${index}`);
    const page = (number: number) => api.call(listComments, repository, { number: pull.number, page: number });
    expect(await page(1)).toMatchObject({ body: { items: { length: pageSize }, hasNext: true } });
    expect(await page(2)).toMatchObject({ body: { items: { length: 1 }, hasNext: false } });
    expect(await page(3)).toMatchObject({ body: { items: [], hasNext: false } });
    expect((await drover.fetchPull(pull)).comments).toHaveLength(pageSize + 1);
  });

  it("are turned in every list", async () => {
    for (const manner of manners) {
      const harness = await openHarness(manner, { pageSize: 2 });
      const { people, pull, drover, repository, head, sandbox } = harness;
      for (const index of [1, 2, 3]) {
        await people.otto.comment(pull, `${index}`);
        await people.rita.review(pull, { event: "comment", body: `${index}`, remarks: [remark] });
        await people.otto.react(pull, (["+1", "eyes", "heart"] as const)[index - 1] ?? "+1");
        await people.rita.report({ repository, commit: head, name: `status ${index}`, state: "passed" });
        await people.drover.report({ repository, commit: head, name: `check ${index}`, state: "passed" });
      }
      const [thread] = sandbox.look(pull).threads;
      if (thread === undefined) throw new Error("no thread");
      for (const index of [1, 2, 3]) await people.otto.reply(pull, thread.id, `${index}`);
      const seen = await drover.fetchPull(pull);
      const lengths = [seen.comments, seen.reviews, seen.threads, seen.reactions, seen.checks].map(
        (list) => list.length,
      );
      expect(lengths).toEqual([3, 3, 3, 3, 6]);
      expect(seen.threads.find(({ id }) => id === thread.id)?.comments).toHaveLength(4);
    }
  });
});
