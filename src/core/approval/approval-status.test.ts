import { describe, expect, it } from "vitest";
import { type Approval, deriveApproval } from "#core/approval/approval.ts";
import { hourMs } from "#core/model/instant.ts";
import {
  aHeadAt,
  alice,
  anInput,
  aPullAt,
  aReactionAt,
  aReviewAt,
  atSecond,
  author,
  bob,
  carol,
  outsider,
  stranger,
} from "#testing/approval-makers.ts";
import { drover, otherBot } from "#testing/makers.ts";

const remark = { id: "c1", author: carol.id, at: atSecond(50) };

interface Facts {
  readonly protocols: "emoji" | "reviews" | "both";
  readonly approval: "none" | "thumb" | "review";
  readonly eyes: "none" | "approver" | "passer-by";
  readonly isRemarked: boolean;
  readonly isObjected: boolean;
  readonly isLate: boolean;
}

const flags = [false, true];
const table = (["emoji", "reviews", "both"] as const).flatMap((protocols) =>
  (["none", "thumb", "review"] as const).flatMap((approval) =>
    (["none", "approver", "passer-by"] as const).flatMap((eyes) =>
      flags.flatMap((isRemarked) =>
        flags.flatMap((isObjected) =>
          flags.map((isLate): Facts => ({ protocols, approval, eyes, isRemarked, isObjected, isLate })),
        ),
      ),
    ),
  ),
);

/** The rules once more, in the plainest words, and nothing shared with what is tested. */
function expectedStatus(facts: Facts): Approval["status"] {
  const thumbsMatter = facts.protocols !== "reviews";
  const reviewsMatter = facts.protocols !== "emoji";
  const isApproved = (facts.approval === "thumb" && thumbsMatter) || (facts.approval === "review" && reviewsMatter);
  if (isApproved && !facts.isObjected) return "approved";
  const waiting = facts.isLate ? "timeout" : undefined;
  if (thumbsMatter && facts.eyes === "approver") return waiting ?? "in_progress";
  if (facts.isObjected) return waiting ?? "changes_requested";
  if (thumbsMatter && facts.isRemarked) return waiting ?? "changes_requested";
  if (thumbsMatter && facts.eyes === "passer-by") return waiting ?? "in_progress";
  return waiting ?? "pending";
}

function build(facts: Facts): Approval {
  const thumb = facts.approval === "thumb" ? [aReactionAt("+1", alice, 60)] : [];
  const formal = facts.approval === "review" ? [aReviewAt("approved", alice, 60)] : [];
  const looker = facts.eyes === "approver" ? bob : outsider;
  const eyes = facts.eyes === "none" ? [] : [aReactionAt("eyes", looker, 70)];
  const objection = facts.isObjected ? [aReviewAt("changes_requested", carol, 80)] : [];
  return deriveApproval(
    anInput({
      approval: { protocols: facts.protocols, timeoutMs: hourMs },
      reactions: [...thumb, ...eyes],
      reviews: [...formal, ...objection],
      feedback: facts.isRemarked ? [remark] : [],
      observedAt: facts.isLate ? atSecond(3600) : atSecond(3599),
    }),
  );
}

describe("precedence", () => {
  it("is approved, in progress, changes requested, pending, in every combination of facts", () => {
    expect(table).toHaveLength(216);
    const found = table.map((facts) => ({ ...facts, status: build(facts).status }));
    expect(found).toEqual(table.map((facts) => ({ ...facts, status: expectedStatus(facts) })));
  });

  it("says when waiting becomes a timeout, and only then", () => {
    for (const facts of table) {
      const { status, timeoutAt } = build(facts);
      expect(timeoutAt).toBe(status === "approved" || status === "timeout" ? null : atSecond(3600));
    }
  });
});

describe("eyes", () => {
  it("of the author and of bots say nothing", () => {
    const reactions = [author, drover, otherBot].map((account) => aReactionAt("eyes", account, 5));
    expect(deriveApproval(anInput({ reactions })).status).toBe("pending");
  });

  it("of somebody whose permission is unknown do not hide a request for changes", () => {
    const reactions = [aReactionAt("eyes", stranger, 5)];
    expect(deriveApproval(anInput({ reactions, feedback: [remark] })).status).toBe("changes_requested");
    expect(deriveApproval(anInput({ reactions })).status).toBe("in_progress");
  });

  it("that are not newer than one's own objection are spent", () => {
    const reviews = [aReviewAt("changes_requested", alice, 80)];
    const status = (second: number): string =>
      deriveApproval(anInput({ reviews, reactions: [aReactionAt("eyes", alice, second)] })).status;
    expect(status(79)).toBe("changes_requested");
    expect(status(80)).toBe("changes_requested");
    expect(status(81)).toBe("in_progress");
  });

  it("are named, those that hide something before all others", () => {
    const reactions = [aReactionAt("eyes", outsider, 5), aReactionAt("eyes", alice, 6)];
    expect(deriveApproval(anInput({ reactions })).why).toEqual({ kind: "eyes", by: [alice] });
  });

  it("and thumbs taken away take the status back", () => {
    const reactions = [aReactionAt("eyes", bob, 5), aReactionAt("+1", alice, 6)];
    expect(deriveApproval(anInput({ reactions })).status).toBe("approved");
    expect(deriveApproval(anInput({ reactions: reactions.slice(0, 1) })).status).toBe("in_progress");
    expect(deriveApproval(anInput({ reactions: [] })).status).toBe("pending");
  });
});

describe("remarks", () => {
  it("of a passer-by change neither the status nor the time that is left", () => {
    const feedback = [{ ...remark, author: outsider.id }];
    const alone = deriveApproval(anInput({}));
    expect(deriveApproval(anInput({ feedback }))).toMatchObject({ status: "pending", timeoutAt: alone.timeoutAt });
  });

  it("of somebody whose permission nobody would tell are taken at their word", () => {
    const feedback = [{ ...remark, author: stranger.id }];
    expect(deriveApproval(anInput({ feedback })).status).toBe("changes_requested");
  });

  it("are named once each, the oldest first", () => {
    const feedback = [{ ...remark, id: "c2", at: atSecond(60) }, remark, remark];
    expect(deriveApproval(anInput({ feedback })).why).toEqual({ kind: "remarks", remarks: ["c1", "c2"] });
  });

  it("are no request for changes to somebody who approves and only waits for a second approval", () => {
    const told = { feedback: [remark], approval: { approvalsMin: 2 } };
    const approval = deriveApproval(anInput({ ...told, reactions: [aReactionAt("+1", alice, 60)] }));
    expect(approval).toMatchObject({ status: "pending", why: { kind: "not_enough", given: 1 } });
    // A thumb that does not count hides nothing.
    const ignored = deriveApproval(anInput({ ...told, reactions: [aReactionAt("+1", outsider, 60)] }));
    expect(ignored.status).toBe("changes_requested");
  });
});

describe("timeout", () => {
  it("says what was waited for and since when", () => {
    const approval = deriveApproval(anInput({ observedAt: atSecond(4000), reactions: [aReactionAt("eyes", bob, 5)] }));
    const before = { status: "in_progress", why: { kind: "eyes", by: [bob] } };
    expect(approval.why).toEqual({ kind: "timed_out", since: atSecond(0), before });
  });

  it("comes for a pull whose author was asked for changes, too", () => {
    const reviews = [aReviewAt("changes_requested", alice, 80)];
    const approval = deriveApproval(anInput({ observedAt: atSecond(8000), reviews }));
    expect(approval).toMatchObject({ status: "timeout", why: { before: { status: "changes_requested" } } });
  });

  it("counts from when the pull was ready, not from a head that stood while it was a draft", () => {
    const ready = { readySince: atSecond(3000), observedAt: atSecond(4000) };
    expect(deriveApproval(anInput(ready))).toMatchObject({ status: "pending", timeoutAt: atSecond(6600) });
    const draft = { ...aPullAt(1, "main"), isDraft: true };
    expect(deriveApproval(anInput({ pull: draft, observedAt: atSecond(9000) }))).toMatchObject({
      status: "pending",
      timeoutAt: null,
    });
  });

  it("begins anew with each head", () => {
    const heads = [aHeadAt(1, 0), aHeadAt(2, 2000)];
    const approval = deriveApproval(anInput({ heads, pull: aPullAt(2, "main"), observedAt: atSecond(4000) }));
    expect(approval).toMatchObject({ status: "pending", timeoutAt: atSecond(5600) });
  });

  it("does not come while it is unknown since when the head stands", () => {
    expect(deriveApproval(anInput({ heads: [], observedAt: atSecond(9999) }))).toMatchObject({
      status: "pending",
      timeoutAt: null,
    });
  });
});
