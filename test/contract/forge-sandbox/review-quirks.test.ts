import { describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { createReview } from "#forges/sandbox/review-endpoints.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { foreignRemark, kindsSince, openTown, pushTo, remark, type Town } from "./town.ts";

const approval = { event: "approve", body: "Good." } as const;

async function forceNewHead({ people, repository }: Town): Promise<HeadSha> {
  const to = await people.ada.push({ repository, branch: "other", changes: { "b.txt": "b\n" }, message: "Other" });
  await people.ada.forcePush({ repository, branch: "change", to });
  return to;
}

describe("the commit of a review", () => {
  it("is re-pointed by a force-push in the manner of GitHub", async () => {
    const town = await openTown("github");
    await town.people.rita.review(town.pull, approval);
    const to = await forceNewHead(town);
    expect((await town.drover.fetchPull(town.pull)).reviews.map(({ commit }) => commit)).toEqual([to]);
  });

  it("stays where a push only adds to the branch", async () => {
    const town = await openTown("github");
    await town.people.rita.review(town.pull, approval);
    await pushTo(town, "c.txt");
    expect((await town.drover.fetchPull(town.pull)).reviews.map(({ commit }) => commit)).toEqual([town.head]);
  });

  it.each(["github", "gitea"] as const)(
    "stays after a force-push with the quirk off, as on Gitea: %s",
    async (manner) => {
      const town = await openTown(manner, { repointsReviews: false });
      await town.people.rita.review(town.pull, approval);
      await forceNewHead(town);
      expect((await town.drover.fetchPull(town.pull)).reviews.map(({ commit }) => commit)).toEqual([town.head]);
    },
  );
});

function submission({ pull, head }: Town, body: string, remarks: readonly ReviewRemark[] = [remark]) {
  return { pull, head, event: "comment", body, remarks } as const;
}

describe("a remark outside of the diff", () => {
  const two = [remark, foreignRemark];

  it.each(["github", "gitea"] as const)("refuses the whole review where it is refused: %s", async (manner) => {
    const town = await openTown(manner, { refusesForeignAnchors: true });
    const error = { kind: "refused", isApplied: "no", message: expect.not.stringContaining("long.txt") };
    await expect(town.drover.submitReview(submission(town, "Two.", two))).rejects.toMatchObject(error);
    expect(town.sandbox.look(town.pull)).toMatchObject({ reviews: [], threads: [] });
  });

  it.each(["github", "gitea"] as const)("is accepted and shown to nobody where it is not: %s", async (manner) => {
    const town = await openTown(manner, { refusesForeignAnchors: false });
    await town.drover.submitReview(submission(town, "Two.", two));
    expect(town.sandbox.look(town.pull).threads.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it.each([
    ["across two hunks", { path: "long.txt", lines: { first: 1, last: 50 } }],
    ["backwards", { path: "a.txt", lines: { first: 3, last: 2 } }],
    ["in an unknown file", { path: "nowhere.txt", lines: { first: 1, last: 1 } }],
    ["past the end", { path: "a.txt", lines: { first: 2, last: 999 } }],
  ])("is one that reaches %s", async (_, place) => {
    const town = await openTown("github");
    await pushTo(
      town,
      "long.txt",
      Array.from({ length: 50 }, (_line, i) => (i % 48 === 1 ? "x\n" : `${i}\n`)).join(""),
    );
    const { head } = town.sandbox.look(town.pull).pull;
    const remarks = [{ ...remark, ...place }];
    const made = { pull: town.pull, head: head.sha, event: "comment", body: "Hm.", remarks } as const;
    await expect(town.drover.submitReview(made)).rejects.toMatchObject({ kind: "refused" });
  });
});

async function send({ api, repository, pull, head }: Town, event: string | undefined): Promise<string | number> {
  const request = { number: pull.number, commit_id: head, body: "Said.", event, comments: [] };
  const answer = await api.call(createReview, repository, request);
  if (answer.kind === "silence") return "silence";
  return answer.kind === "success" ? answer.body.state : answer.status;
}

describe("the word of an event", () => {
  it.each([
    ["github", "APPROVE", "APPROVED"],
    ["github", "REQUEST_CHANGES", "CHANGES_REQUESTED"],
    ["github", "COMMENT", "COMMENTED"],
    ["github", "APPROVED", 422],
    ["github", undefined, "PENDING"],
    ["gitea", "APPROVED", "APPROVED"],
    ["gitea", "REQUEST_CHANGES", "REQUEST_CHANGES"],
    ["gitea", "COMMENT", "COMMENT"],
    ["gitea", "APPROVE", "PENDING"],
    ["gitea", "COMMENTED", "PENDING"],
  ] as const)("means on %s: %s is %s", async (manner, word, state) => {
    expect(await send(await openTown(manner), word)).toBe(state);
  });

  it("that is wrong is refused with the quirk off, and pending with it on", async () => {
    expect(await send(await openTown("gitea", { unknownEventIsPending: false }), "APPROVE")).toBe(422);
    expect(await send(await openTown("github", { unknownEventIsPending: true }), "APPROVED")).toBe("PENDING");
  });
});

describe("a pending review", () => {
  it("is one for each author, where the next does not take it along", async () => {
    const town = await openTown("github");
    expect(await send(town, undefined)).toBe("PENDING");
    expect(await send(town, "COMMENT")).toBe(422);
    expect(town.sandbox.look(town.pull).reviews.map(({ state }) => state)).toEqual(["pending"]);
  });
});

describe("a verdict", () => {
  it.each(["github", "gitea"] as const)(
    "on one's own pull, or without a word of why, is refused: %s",
    async (manner) => {
      const { sandbox, accounts, pull, head, drover } = await openTown(manner);
      const ada = sandbox.clientOf(accounts.ada);
      const made = { pull, head, body: "Mine.", remarks: [] } as const;
      await expect(ada.submitReview({ ...made, event: "approve" })).rejects.toMatchObject({ kind: "refused" });
      await expect(ada.submitReview({ ...made, event: "request_changes" })).rejects.toMatchObject({ kind: "refused" });
      await ada.submitReview({ ...made, event: "comment" });
      const wordless = { ...made, body: "  ", event: "request_changes" } as const;
      await expect(drover.submitReview(wordless)).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
      await expect(drover.submitReview({ ...wordless, event: "comment" })).rejects.toMatchObject({ kind: "refused" });
      await drover.submitReview({ ...wordless, event: "comment", remarks: [remark] });
    },
  );
});

describe("a submission that breaks down half-way", () => {
  const halfWay = { kind: "server_error", isApplied: true } as const;
  it("leaves a pending review whose remarks leak into the next one", async () => {
    const town = await openTown("gitea");
    const { drover, pull, sandbox } = town;
    town.spoil("create_review", halfWay);
    const before = sandbox.history.length;
    await expect(drover.submitReview(submission(town, "First."))).rejects.toMatchObject({ isApplied: "unknown" });
    expect(kindsSince(town, before)).toEqual(["pending_review_left"]);
    expect((await drover.fetchPull(pull)).reviews.map(({ state }) => state)).toEqual(["pending"]);
    expect((await drover.fetchPull(pull)).threads).toEqual([]);
    expect((await sandbox.clientOf(town.accounts.rita).fetchPull(pull)).reviews).toEqual([]);
    await drover.submitReview(submission(town, "Second."));
    const { reviews, threads } = await drover.fetchPull(pull);
    expect(reviews.map(({ body, state }) => [body, state])).toEqual([["Second.", "commented"]]);
    expect(threads).toHaveLength(2);
  });

  it("leaves nothing to leak once it is discarded", async () => {
    const town = await openTown("gitea");
    const { drover, pull } = town;
    town.spoil("create_review", halfWay);
    await drover.submitReview(submission(town, "First.")).catch(() => undefined);
    const [left] = (await drover.fetchPull(pull)).reviews;
    if (left === undefined) throw new Error("nothing was left");
    await drover.discardPendingReview({ pull, review: left.id });
    await drover.submitReview(submission(town, "Second."));
    expect((await drover.fetchPull(pull)).threads).toHaveLength(1);
  });

  it("is whole where it had no remarks", async () => {
    const town = await openTown("gitea");
    town.spoil("create_review", halfWay);
    await town.drover.submitReview(submission(town, "First.", [])).catch(() => undefined);
    expect(town.sandbox.look(town.pull).reviews.map(({ state }) => state)).toEqual(["commented"]);
  });

  it("is whole where the quirk is off", async () => {
    for (const town of [await openTown("github"), await openTown("gitea", { leaksPendingReviews: false })]) {
      town.spoil("create_review", halfWay);
      await town.drover.submitReview(submission(town, "First.")).catch(() => undefined);
      expect(town.sandbox.look(town.pull)).toMatchObject({ reviews: [{ state: "commented" }], threads: [{}] });
    }
  });

  it("on an unknown commit spoils every later one until it is discarded", async () => {
    const town = await openTown("gitea");
    const { drover, pull, sandbox } = town;
    const unknown = { ...submission(town, "First."), head: HeadSha.parse("f".repeat(40)) };
    await expect(drover.submitReview(unknown)).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
    await expect(drover.submitReview(submission(town, "Second."))).rejects.toMatchObject({ kind: "unavailable" });
    const [left, ...more] = sandbox.look(pull).reviews;
    if (left === undefined) throw new Error("nothing was left");
    expect(more).toEqual([]);
    await drover.discardPendingReview({ pull, review: left.id });
    await drover.submitReview(submission(town, "Third."));
    expect(sandbox.look(pull).threads).toHaveLength(1);
  });

  it("on an unknown commit is refused where nothing leaks", async () => {
    for (const town of [await openTown("github"), await openTown("gitea", { leaksPendingReviews: false })]) {
      const unknown = { ...submission(town, "First."), head: HeadSha.parse("f".repeat(40)) };
      await expect(town.drover.submitReview(unknown)).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
      expect(town.sandbox.look(town.pull).reviews).toEqual([]);
    }
  });
});
