import { describe, expect, it } from "vitest";
import { wholeSecond } from "#core/model/instant.ts";
import { listComments, listReviewsEndpoint } from "#forges/sandbox/read-endpoints.ts";
import { defaultQuirks } from "#forges/sandbox/sandbox-quirks.ts";
import { openTown, pushTo, remark } from "./town.ts";

const manners = ["github", "gitea"] as const;

describe("the text of an edited review", () => {
  it.each([
    ["gitea", true, "Before."],
    ["gitea", false, "After."],
    ["github", true, "Before."],
    ["github", false, "After."],
  ] as const)("in the list of %s, listing original bodies %s", async (manner, listsOriginalBodies, listed) => {
    const { drover, api, repository, pull, head } = await openTown(manner, { listsOriginalBodies });
    const review = await drover.submitReview({ pull, head, event: "comment", body: "Before.", remarks: [] });
    await drover.editReview({ pull, review, body: "After." });
    const answer = await api.call(listReviewsEndpoint, repository, { number: pull.number, page: 1 });
    expect(answer).toMatchObject({ body: { items: [{ body: listed }] } });
  });

  it.each(manners)("is the one that people see, for whoever reads with a client of %s", async (manner) => {
    const { drover, pull, head } = await openTown(manner);
    const review = await drover.submitReview({ pull, head, event: "comment", body: "Before.", remarks: [remark] });
    await drover.editReview({ pull, review, body: "After." });
    expect((await drover.fetchPull(pull)).reviews.map(({ body }) => body)).toEqual(["After."]);
  });
});

describe("times", () => {
  it.each(manners)("are cut to whole seconds, though the forge knows better: %s", async (manner) => {
    const town = await openTown(manner);
    town.pass(123);
    await town.people.otto.comment(town.pull, "Now.");
    const [comment] = (await town.drover.fetchPull(town.pull)).comments;
    const [truth] = town.sandbox.look(town.pull).comments;
    expect(truth?.createdAt).toBe(town.now());
    expect(comment?.createdAt).toBe(truth && wholeSecond(truth.createdAt));
    expect(comment?.createdAt).not.toBe(truth?.createdAt);
  });

  it.each(manners)("are exact with the quirk off: %s", async (manner) => {
    const town = await openTown(manner, { cutsTimesToSeconds: false });
    town.pass(123);
    await town.people.otto.comment(town.pull, "Now.");
    expect((await town.drover.fetchPull(town.pull)).comments.map(({ createdAt }) => createdAt)).toEqual([town.now()]);
  });

  it("hide an edit within the same second", async () => {
    const town = await openTown("github");
    const comment = await town.people.otto.comment(town.pull, "Now.");
    town.pass(100);
    await town.people.otto.editComment(town.pull, comment, "Now!");
    expect((await town.drover.fetchPull(town.pull)).comments).toMatchObject([{ body: "Now!", editedAt: null }]);
  });

  it("of the observation is the server's, before anything was read", async () => {
    const town = await openTown("github");
    expect((await town.drover.fetchPull(town.pull)).observedAt).toBe(town.now());
  });

  it.each([true, false])("of pushes and texts are hidden or not: %s", async (hidesPushTimes) => {
    const town = await openTown("gitea", { hidesPushTimes, cutsTimesToSeconds: false });
    await pushTo(town, "b.txt");
    const pushedAt = town.now();
    town.pass(1_000);
    await town.people.ada.editPull(town.pull, { body: "Second." });
    const { pull } = await town.drover.fetchPull(town.pull);
    expect(pull.head.pushedAt).toBe(hidesPushTimes ? null : pushedAt);
    expect(pull.bodyEdits.map(({ body }) => body)).toEqual(hidesPushTimes ? [] : ["First.", "Second."]);
  });
});

describe("what a forge does not tell", () => {
  it.each([true, false])("is who is a bot, with the quirk %s", async (hidesAccountKinds) => {
    const town = await openTown("gitea", { hidesAccountKinds });
    await town.drover.createComment({ pull: town.pull, body: "I am." });
    const kind = hidesAccountKinds ? "person" : "bot";
    expect((await town.drover.fetchIdentity()).bot).toEqual({ ...town.accounts.drover, kind });
    expect((await town.drover.fetchPull(town.pull)).comments.map(({ author }) => author.kind)).toEqual([kind]);
  });

  it.each([true, false])("are permissions, unless one is an admin or asks about oneself: %s", async (hides) => {
    const town = await openTown("gitea", { hidesPermissions: hides });
    const { sandbox, drover, repository, accounts } = town;
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
    const { api, repository, pull, people, drover } = await openTown(manner);
    for (let index = 0; index <= pageSize; index++) await people.otto.comment(pull, `${index}`);
    const page = (number: number) => api.call(listComments, repository, { number: pull.number, page: number });
    expect(await page(1)).toMatchObject({ body: { items: { length: pageSize }, hasNext: true } });
    expect(await page(2)).toMatchObject({ body: { items: { length: 1 }, hasNext: false } });
    expect(await page(3)).toMatchObject({ body: { items: [], hasNext: false } });
    expect((await drover.fetchPull(pull)).comments).toHaveLength(pageSize + 1);
  });

  it("are turned in every list", async () => {
    for (const manner of manners) {
      const town = await openTown(manner, { pageSize: 2 });
      const { people, pull, drover, repository, head, sandbox } = town;
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
