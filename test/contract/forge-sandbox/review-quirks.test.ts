import { describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { createReview } from "#forges/sandbox/review-endpoints.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { foreignRemark, type Harness, kindsSince, openHarness, pushTo, remark } from "./harness.ts";

const approval = { event: "approve", body: "Good." } as const;

async function forceNewHead({ people, repository }: Harness): Promise<HeadSha> {
  const to = await people.ada.push({ repository, branch: "other", changes: { "b.txt": "b\n" }, message: "Other" });
  await people.ada.forcePush({ repository, branch: "change", to });
  return to;
}

describe("the commit of a review", () => {
  it("is re-pointed by a force-push in the manner of GitHub", async () => {
    const harness = await openHarness("github");
    await harness.people.rita.review(harness.pull, approval);
    const to = await forceNewHead(harness);
    expect((await harness.drover.fetchPull(harness.pull)).reviews.map(({ commit }) => commit)).toEqual([to]);
  });

  it("stays where a push only adds to the branch", async () => {
    const harness = await openHarness("github");
    await harness.people.rita.review(harness.pull, approval);
    await pushTo(harness, "c.txt");
    expect((await harness.drover.fetchPull(harness.pull)).reviews.map(({ commit }) => commit)).toEqual([harness.head]);
  });

  it.each(["github", "gitea"] as const)(
    "stays after a force-push with the quirk off, as on Gitea: %s",
    async (manner) => {
      const harness = await openHarness(manner, { repointsReviews: false });
      await harness.people.rita.review(harness.pull, approval);
      await forceNewHead(harness);
      expect((await harness.drover.fetchPull(harness.pull)).reviews.map(({ commit }) => commit)).toEqual([
        harness.head,
      ]);
    },
  );
});

function submission({ pull, head }: Harness, body: string, remarks: readonly ReviewRemark[] = [remark]) {
  return { pull, head, event: "comment", body, remarks } as const;
}

describe("a remark outside of the diff", () => {
  const two = [remark, foreignRemark];

  it.each(["github", "gitea"] as const)("refuses the whole review where it is refused: %s", async (manner) => {
    const harness = await openHarness(manner, { refusesForeignAnchors: true });
    const error = { kind: "refused", isApplied: "no", message: expect.not.stringContaining("long.txt") };
    await expect(harness.drover.submitReview(submission(harness, "Two.", two))).rejects.toMatchObject(error);
    expect(harness.sandbox.look(harness.pull)).toMatchObject({ reviews: [], threads: [] });
  });

  it.each(["github", "gitea"] as const)("is accepted and shown to nobody where it is not: %s", async (manner) => {
    const harness = await openHarness(manner, { refusesForeignAnchors: false });
    await harness.drover.submitReview(submission(harness, "Two.", two));
    expect(harness.sandbox.look(harness.pull).threads.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it.each([
    ["across two hunks", { path: "long.txt", lines: { first: 1, last: 50 } }],
    ["backwards", { path: "a.txt", lines: { first: 3, last: 2 } }],
    ["in an unknown file", { path: "nowhere.txt", lines: { first: 1, last: 1 } }],
    ["past the end", { path: "a.txt", lines: { first: 2, last: 999 } }],
  ])("is one that reaches %s", async (_, place) => {
    const harness = await openHarness("github");
    await pushTo(
      harness,
      "long.txt",
      Array.from({ length: 50 }, (_line, i) => (i % 48 === 1 ? "x\n" : `${i}\n`)).join(""),
    );
    const { head } = harness.sandbox.look(harness.pull).pull;
    const remarks = [{ ...remark, ...place }];
    const made = { pull: harness.pull, head: head.sha, event: "comment", body: "Hm.", remarks } as const;
    await expect(harness.drover.submitReview(made)).rejects.toMatchObject({ kind: "refused" });
  });
});

async function send({ api, repository, pull, head }: Harness, event: string | undefined): Promise<string | number> {
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
    expect(await send(await openHarness(manner), word)).toBe(state);
  });

  it("that is wrong is refused with the quirk off, and pending with it on", async () => {
    expect(await send(await openHarness("gitea", { unknownEventIsPending: false }), "APPROVE")).toBe(422);
    expect(await send(await openHarness("github", { unknownEventIsPending: true }), "APPROVED")).toBe("PENDING");
  });
});

describe("a pending review", () => {
  it("is one for each author, where the next does not take it along", async () => {
    const harness = await openHarness("github");
    expect(await send(harness, undefined)).toBe("PENDING");
    expect(await send(harness, "COMMENT")).toBe(422);
    expect(harness.sandbox.look(harness.pull).reviews.map(({ state }) => state)).toEqual(["pending"]);
  });
});

describe("a verdict", () => {
  it.each(["github", "gitea"] as const)(
    "on one's own pull, or without a word of why, is refused: %s",
    async (manner) => {
      const { sandbox, accounts, pull, head, drover } = await openHarness(manner);
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
    const harness = await openHarness("gitea");
    const { drover, pull, sandbox } = harness;
    harness.spoil("create_review", halfWay);
    const before = sandbox.history.length;
    await expect(drover.submitReview(submission(harness, "First."))).rejects.toMatchObject({ isApplied: "unknown" });
    expect(kindsSince(harness, before)).toEqual(["pending_review_left"]);
    expect((await drover.fetchPull(pull)).reviews.map(({ state }) => state)).toEqual(["pending"]);
    expect((await drover.fetchPull(pull)).threads).toEqual([]);
    expect((await sandbox.clientOf(harness.accounts.rita).fetchPull(pull)).reviews).toEqual([]);
    await drover.submitReview(submission(harness, "Second."));
    const { reviews, threads } = await drover.fetchPull(pull);
    expect(reviews.map(({ body, state }) => [body, state])).toEqual([["Second.", "commented"]]);
    expect(threads).toHaveLength(2);
  });

  it("leaves nothing to leak once it is discarded", async () => {
    const harness = await openHarness("gitea");
    const { drover, pull } = harness;
    harness.spoil("create_review", halfWay);
    await drover.submitReview(submission(harness, "First.")).catch(() => undefined);
    const [left] = (await drover.fetchPull(pull)).reviews;
    if (left === undefined) throw new Error("nothing was left");
    await drover.discardPendingReview({ pull, review: left.id });
    await drover.submitReview(submission(harness, "Second."));
    expect((await drover.fetchPull(pull)).threads).toHaveLength(1);
  });

  it("is whole where it had no remarks", async () => {
    const harness = await openHarness("gitea");
    harness.spoil("create_review", halfWay);
    await harness.drover.submitReview(submission(harness, "First.", [])).catch(() => undefined);
    expect(harness.sandbox.look(harness.pull).reviews.map(({ state }) => state)).toEqual(["commented"]);
  });

  it("is whole where the quirk is off", async () => {
    for (const harness of [await openHarness("github"), await openHarness("gitea", { leaksPendingReviews: false })]) {
      harness.spoil("create_review", halfWay);
      await harness.drover.submitReview(submission(harness, "First.")).catch(() => undefined);
      expect(harness.sandbox.look(harness.pull)).toMatchObject({ reviews: [{ state: "commented" }], threads: [{}] });
    }
  });

  it("on an unknown commit spoils every later one until it is discarded", async () => {
    const harness = await openHarness("gitea");
    const { drover, pull, sandbox } = harness;
    const unknown = { ...submission(harness, "First."), head: HeadSha.parse("f".repeat(40)) };
    await expect(drover.submitReview(unknown)).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
    await expect(drover.submitReview(submission(harness, "Second."))).rejects.toMatchObject({ kind: "unavailable" });
    const [left, ...more] = sandbox.look(pull).reviews;
    if (left === undefined) throw new Error("nothing was left");
    expect(more).toEqual([]);
    await drover.discardPendingReview({ pull, review: left.id });
    await drover.submitReview(submission(harness, "Third."));
    expect(sandbox.look(pull).threads).toHaveLength(1);
  });

  it("on an unknown commit is refused where nothing leaks", async () => {
    for (const harness of [await openHarness("github"), await openHarness("gitea", { leaksPendingReviews: false })]) {
      const unknown = { ...submission(harness, "First."), head: HeadSha.parse("f".repeat(40)) };
      await expect(harness.drover.submitReview(unknown)).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
      expect(harness.sandbox.look(harness.pull).reviews).toEqual([]);
    }
  });
});
