import { describe, expect, it } from "vitest";
import { type Approval, deriveApproval } from "#core/approval/approval.ts";
import {
  aHeadAt,
  alice,
  anInput,
  aPullAt,
  aReactionAt,
  aRecord,
  aReviewAt,
  atSecond,
  bob,
} from "#testing/approval-makers.ts";
import { sha } from "#testing/makers.ts";

const rebased = [aHeadAt(1, 0, { patch: "p" }), aHeadAt(2, 200, { patch: "p" })];
const changed = [aHeadAt(1, 0, { patch: "p" }), aHeadAt(2, 200, { patch: "q" })];
const thumb = aReactionAt("+1", alice, 100);

function seen(told: Parameters<typeof anInput>[0]): Approval {
  return deriveApproval(anInput(told));
}

function whyIgnored(told: Parameters<typeof anInput>[0]): readonly string[] {
  const { status, ignored } = seen(told);
  expect(status).not.toBe("approved");
  return ignored.map((approval) => approval.why);
}

describe("an approval that nobody has recorded", () => {
  it("counts and is to be recorded when it was given strictly after the head stood", () => {
    const approval = seen({ reactions: [aReactionAt("+1", alice, 1)] });
    expect(approval.counted).toMatchObject([{ account: alice, at: atSecond(1), head: sha(1), isCarried: false }]);
    expect(approval.toRecord).toEqual([aRecord(aReactionAt("+1", alice, 1), 1)]);
  });

  it("proves nothing in the very second in which the head is first known", () => {
    expect(whyIgnored({ reactions: [aReactionAt("+1", alice, 0)] })).toEqual(["before_head_known"]);
    expect(seen({ reactions: [aReactionAt("+1", alice, 0)] }).toRecord).toEqual([]);
  });

  it("is for an older head when a newer one stood since, or in the same second", () => {
    const pull = aPullAt(2, "main");
    expect(whyIgnored({ pull, heads: changed, reactions: [thumb] })).toEqual(["older_head"]);
    expect(whyIgnored({ pull, heads: changed, reactions: [aReactionAt("+1", alice, 200)] })).toEqual(["older_head"]);
    expect(whyIgnored({ pull, heads: changed, reactions: [aReactionAt("+1", alice, -5)] })).toEqual([
      "before_head_known",
    ]);
  });

  it("is not carried even by an identical patch, since nobody knows what it was given for", () => {
    expect(whyIgnored({ pull: aPullAt(2, "main"), heads: rebased, reactions: [thumb] })).toEqual(["older_head"]);
  });

  it("is for another base when the pull was retargeted since", () => {
    const heads = [aHeadAt(1, 0, { base: "main" }), aHeadAt(1, 200, { base: "next" })];
    expect(whyIgnored({ pull: aPullAt(1, "next"), heads, reactions: [thumb] })).toEqual(["other_base"]);
    const returned = [aHeadAt(1, 0), aHeadAt(1, 50, { base: "next" }), aHeadAt(1, 200)];
    expect(whyIgnored({ heads: returned, reactions: [thumb] })).toEqual(["other_base"]);
  });

  it("proves nothing when the history does not end with the head of the pull", () => {
    expect(whyIgnored({ pull: aPullAt(9, "main"), reactions: [thumb] })).toEqual(["head_unknown"]);
    expect(whyIgnored({ pull: aPullAt(1, "next"), reactions: [thumb] })).toEqual(["head_unknown"]);
    expect(whyIgnored({ heads: [], reactions: [thumb] })).toEqual(["head_unknown"]);
    const heads = [aHeadAt(1, 0), aHeadAt(2, 50)];
    expect(whyIgnored({ pull: aPullAt(1, "main"), heads, reactions: [thumb] })).toEqual(["head_unknown"]);
  });

  it("proves nothing when the same head was pushed again since: another may have stood between, unseen", () => {
    expect(whyIgnored({ pull: aPullAt(1, "main", { pushedAt: atSecond(100) }), reactions: [thumb] })).toEqual([
      "older_head",
    ]);
    expect(seen({ pull: aPullAt(1, "main", { pushedAt: atSecond(99) }), reactions: [thumb] }).status).toBe("approved");
  });

  it("proves nothing when the base was changed since, be it back to what it was", () => {
    expect(whyIgnored({ pull: aPullAt(1, "main", { baseSince: atSecond(100) }), reactions: [thumb] })).toEqual([
      "older_head",
    ]);
    expect(seen({ pull: aPullAt(1, "main", { baseSince: atSecond(99) }), reactions: [thumb] }).status).toBe("approved");
  });

  it("proves nothing when it came after, or in the second of, the observation: a push may have come between", () => {
    expect(whyIgnored({ observedAt: atSecond(99), reactions: [thumb] })).toEqual(["after_observation"]);
    expect(whyIgnored({ observedAt: atSecond(100), reactions: [thumb] })).toEqual(["after_observation"]);
    expect(seen({ observedAt: atSecond(101), reactions: [thumb] }).status).toBe("approved");
  });
});

describe("the commit of a review", () => {
  it("is never proof: a force-push re-points it at a head that nobody looked at", () => {
    const reviews = [aReviewAt("approved", alice, 100, { commit: sha(2) })];
    expect(whyIgnored({ pull: aPullAt(2, "main"), heads: changed, reviews })).toEqual(["older_head"]);
  });

  it("is reason to doubt an approval that is not recorded yet", () => {
    const reviews = [aReviewAt("approved", alice, 300, { commit: sha(1) })];
    expect(whyIgnored({ pull: aPullAt(2, "main"), heads: changed, reviews })).toEqual(["commit_contradicts"]);
    expect(seen({ pull: aPullAt(2, "main"), heads: changed, reviews }).toRecord).toEqual([]);
  });

  it("says nothing against a recorded approval", () => {
    const review = aReviewAt("approved", alice, 100, { commit: sha(7) });
    expect(seen({ reviews: [review], records: [aRecord(review, 1)] }).status).toBe("approved");
  });
});

describe("a recorded approval", () => {
  const records = [aRecord(thumb, 1)];

  it("counts for the head in the record and is not recorded again", () => {
    const approval = seen({ reactions: [thumb], records });
    expect(approval).toMatchObject({ status: "approved", counted: [{ head: sha(1), isCarried: false }], toRecord: [] });
  });

  it("counts for that head even where the time proves nothing", () => {
    const heads = [aHeadAt(1, 150)];
    expect(seen({ heads, reactions: [thumb], records }).status).toBe("approved");
  });

  it("survives a rebase with an identical patch, and is shown as carried", () => {
    const approval = seen({ pull: aPullAt(2, "main"), heads: rebased, reactions: [thumb], records });
    expect(approval).toMatchObject({ status: "approved", counted: [{ head: sha(1), isCarried: true }] });
    expect(approval.toRecord).toEqual([]);
  });

  it.each([
    ["with another patch", changed],
    ["when the new patch is unknown", [aHeadAt(1, 0, { patch: "p" }), aHeadAt(2, 200)]],
    ["when the old patch is unknown", [aHeadAt(1, 0), aHeadAt(2, 200, { patch: "p" })]],
    ["when both patches are unknown", [aHeadAt(1, 0), aHeadAt(2, 200)]],
    ["when the old head is not in the history", [aHeadAt(2, 200, { patch: "p" })]],
    ["when the old head was seen with two patches", [...rebased, aHeadAt(1, 100, { patch: "q" })]],
    ["when it was, in whatever order", [aHeadAt(1, 100, { patch: "q" }), ...rebased]],
    [
      "when it was and the new patch is unknown",
      [...changed.slice(0, 1), aHeadAt(1, 100, { patch: "q" }), aHeadAt(2, 200)],
    ],
    [
      "when only another base had that patch",
      [aHeadAt(1, 0, { base: "next", patch: "p" }), aHeadAt(2, 200, { patch: "p" })],
    ],
  ])("does not survive a push %s", (_, heads) => {
    expect(whyIgnored({ pull: aPullAt(2, "main"), heads, reactions: [thumb], records })).toEqual(["older_head"]);
  });

  it("is void when the pull is retargeted, though commits and patch are the same, and back with the base", () => {
    const heads = [aHeadAt(1, 0, { patch: "p" }), aHeadAt(1, 200, { base: "next", patch: "p" })];
    expect(whyIgnored({ pull: aPullAt(1, "next"), heads, reactions: [thumb], records })).toEqual(["other_base"]);
    const back = [...heads, aHeadAt(1, 300, { patch: "p" })];
    expect(seen({ pull: aPullAt(1, "main"), heads: back, reactions: [thumb], records }).status).toBe("approved");
  });

  it("counts again when its head comes back by force", () => {
    const heads = [...changed, aHeadAt(1, 300, { patch: "p" })];
    expect(seen({ pull: aPullAt(1, "main"), heads, reactions: [thumb], records }).status).toBe("approved");
  });

  it("belongs to one account and one signal", () => {
    const pull = aPullAt(2, "main");
    const told = { pull, heads: rebased, records };
    expect(whyIgnored({ ...told, reactions: [aReactionAt("+1", bob, 100)] })).toEqual(["older_head"]);
    expect(whyIgnored({ ...told, reactions: [aReactionAt("+1", alice, 101)] })).toEqual(["older_head"]);
    const stolen = [{ ...aRecord(thumb, 1), account: bob.id }];
    expect(whyIgnored({ pull, heads: rebased, records: stolen, reactions: [thumb] })).toEqual(["older_head"]);
  });

  it("counts only as far as all records of it agree", () => {
    const both = [aRecord(thumb, 1), aRecord(thumb, 5)];
    expect(whyIgnored({ reactions: [thumb], records: both })).toEqual(["older_head"]);
    expect(whyIgnored({ reactions: [thumb], records: both.reverse() })).toEqual(["older_head"]);
  });

  it("counts for nothing when its reaction is gone, or its review gone or dismissed", () => {
    const review = aReviewAt("approved", alice, 100);
    expect(seen({ records }).counted).toEqual([]);
    expect(seen({ records: [aRecord(review, 1)] }).counted).toEqual([]);
    const dismissed = { ...review, state: "dismissed" as const };
    const approval = seen({ reviews: [dismissed], records: [aRecord(review, 1)] });
    expect(approval).toMatchObject({ status: "pending", counted: [] });
  });

  it("counts for nothing when the same person asked for changes since", () => {
    const reviews = [aReviewAt("changes_requested", alice, 300)];
    expect(whyIgnored({ reviews, reactions: [thumb], records })).toEqual(["superseded"]);
  });
});
