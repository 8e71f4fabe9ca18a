import { describe, expect, it } from "vitest";
import { deriveApproval } from "#core/approval/approval.ts";
import type { ApprovalInput } from "#core/approval/approval-input.ts";
import {
  aHeadAt,
  alice,
  anInput,
  aPullAt,
  aReactionAt,
  aReviewAt,
  author,
  bob,
  outsider,
  stranger,
} from "#testing/approval-makers.ts";
import { drover } from "#testing/makers.ts";

const bobApproves = aReactionAt("+1", bob, 500);
const objects = aReviewAt("changes_requested", alice, 100);

function seen(told: Parameters<typeof anInput>[0]): ReturnType<typeof deriveApproval> {
  return deriveApproval(anInput({ ...told, reactions: [bobApproves, ...(told?.reactions ?? [])] }));
}

function objectors(input: ApprovalInput | Parameters<typeof anInput>[0]): readonly string[] {
  return seen(input).objections.map((objection) => objection.account.login);
}

describe("an objection", () => {
  it("keeps a pull from being approved, however many others approve", () => {
    const approval = seen({ reviews: [objects] });
    expect(approval).toMatchObject({
      status: "changes_requested",
      why: { kind: "objections", by: [alice] },
      missing: [],
    });
    expect(approval.counted).toHaveLength(1);
  });

  it("stands whichever protocol is on, since the forge shows it to everybody", () => {
    for (const protocols of ["emoji", "reviews", "both"] as const) {
      expect(objectors({ reviews: [objects], approval: { protocols } })).toEqual(["alice"]);
    }
  });

  it("is not changed by a later comment review or a draft", () => {
    const reviews = [objects, aReviewAt("commented", alice, 200), aReviewAt("pending", alice, 300)];
    expect(objectors({ reviews })).toEqual(["alice"]);
  });

  it("is lifted by the same person's later approval, formal or by thumb", () => {
    expect(objectors({ reviews: [objects, aReviewAt("approved", alice, 101)] })).toEqual([]);
    expect(objectors({ reviews: [objects], reactions: [aReactionAt("+1", alice, 101)] })).toEqual([]);
  });

  it("is lifted by no thumb where only formal reviews count, but by a formal approval where only thumbs do", () => {
    const reactions = [aReactionAt("+1", alice, 101)];
    expect(objectors({ reviews: [objects], reactions, approval: { protocols: "reviews" } })).toEqual(["alice"]);
    const reviews = [objects, aReviewAt("approved", alice, 101)];
    expect(objectors({ reviews, approval: { protocols: "emoji" } })).toEqual([]);
  });

  it("is not lifted by an earlier approval, nor by one of the same second", () => {
    for (const second of [99, 100]) {
      expect(objectors({ reviews: [objects], reactions: [aReactionAt("+1", alice, second)] })).toEqual(["alice"]);
      expect(objectors({ reviews: [objects, aReviewAt("approved", alice, second, { id: "a" })] })).toEqual(["alice"]);
    }
  });

  it("stands again when the approval that lifted it is taken away", () => {
    const lifted = [aReactionAt("+1", alice, 101)];
    expect(objectors({ reviews: [objects], reactions: lifted })).toEqual([]);
    expect(objectors({ reviews: [objects], reactions: [] })).toEqual(["alice"]);
  });

  it("is gone when it is dismissed, or when a later review of the same person is", () => {
    expect(objectors({ reviews: [{ ...objects, state: "dismissed" }] })).toEqual([]);
    expect(objectors({ reviews: [objects, aReviewAt("dismissed", alice, 101)] })).toEqual([]);
    expect(objectors({ reviews: [objects, aReviewAt("dismissed", alice, 99)] })).toEqual(["alice"]);
  });

  it("sticks across pushes", () => {
    const heads = [aHeadAt(1, 0), aHeadAt(2, 400)];
    expect(objectors({ reviews: [objects], heads, pull: aPullAt(2, "main") })).toEqual(["alice"]);
  });

  it("is not lifted by somebody else's approval", () => {
    expect(objectors({ reviews: [objects, aReviewAt("approved", bob, 700)] })).toEqual(["alice"]);
  });

  it("of somebody who may not approve, of the author or of the bot does not block", () => {
    const reviews = [outsider, author, drover].map((account) => aReviewAt("changes_requested", account, 100));
    const approval = seen({ reviews });
    expect(approval.objections).toEqual([]);
    expect(approval.status).toBe("approved");
  });

  it("of somebody whose permission is unknown blocks: doubt never merges", () => {
    const approval = seen({ reviews: [aReviewAt("changes_requested", stranger, 100)] });
    expect(approval.objections).toMatchObject([{ account: stranger, standing: "undetermined_permission" }]);
    expect(approval.status).toBe("changes_requested");
  });
});

describe("an approval that its author went back on", () => {
  it("does not count once the same person asks for changes, not even in the same second", () => {
    for (const second of [99, 100]) {
      const approval = deriveApproval(anInput({ reviews: [objects], reactions: [aReactionAt("+1", alice, second)] }));
      expect(approval.ignored).toMatchObject([{ account: alice, why: "superseded" }]);
      expect(approval.counted).toEqual([]);
    }
  });

  it("does not come back because the request for changes was dismissed by somebody", () => {
    const reviews = [{ ...objects, state: "dismissed" as const }];
    const approval = deriveApproval(anInput({ reviews, reactions: [aReactionAt("+1", alice, 50)] }));
    expect(approval).toMatchObject({ status: "pending", ignored: [{ why: "superseded" }] });
  });

  it("counts where it was given anew after the request for changes", () => {
    const reviews = [aReviewAt("approved", alice, 50), objects, aReviewAt("approved", alice, 200)];
    const approval = deriveApproval(anInput({ reviews }));
    expect(approval.status).toBe("approved");
    expect(approval.counted).toMatchObject([{ signal: "review:alice-200" }]);
    expect(approval.ignored).toMatchObject([{ signal: "review:alice-50", why: "superseded" }]);
  });
});
