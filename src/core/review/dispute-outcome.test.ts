import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "#core/model/finding.ts";
import { CommentId } from "#core/model/ids.ts";
import { type Argued, concedableScoreMax, type DisputeOutcome, disputeOutcome } from "#core/review/dispute-outcome.ts";
import { ada, aFinding, otherBot, rita, sha } from "#testing/makers.ts";

const reply: Argued["reply"] = { comment: CommentId.parse("5"), by: ada, permission: "read", asksWaiver: false };
const waiver: Argued["reply"] = { ...reply, by: rita, permission: "write", asksWaiver: true };

function argue(over: Partial<Argued>, finding: Partial<Finding> = {}): DisputeOutcome {
  const disputed = aFinding("f", { state: { kind: "disputed" }, ...finding });
  return disputeOutcome({ finding: disputed, reply, proposal: "maintain", head: sha(4), ...over });
}

describe("an argument", () => {
  it("that convinces ends a finding, and the reply is kept as the precedent", () => {
    const resolution = { how: "conceded", reply: reply.comment };
    expect(argue({ proposal: "concede" })).toEqual({
      outcome: "conceded",
      state: { kind: "resolved", resolution },
      why: "convinced",
    });
  });

  it("that does not convince leaves the finding open", () => {
    expect(argue({})).toEqual({ outcome: "maintained", state: { kind: "open" }, why: "not_convinced" });
  });

  it("that does not convince sends nobody home who was called", () => {
    expect(argue({}, { state: { kind: "escalated" } }).state).toEqual({ kind: "escalated" });
  });

  it("that the model cannot judge goes to people", () => {
    expect(argue({ proposal: "escalate" })).toMatchObject({ outcome: "escalated", state: { kind: "escalated" } });
  });

  it.each([9, 10])("never ends a finding of score %i, but calls people", (score) => {
    const outcome = argue({ proposal: "concede" }, { score });
    expect(outcome).toEqual({ outcome: "escalated", state: { kind: "escalated" }, why: "score_needs_person" });
  });

  it("comes too late for what is resolved", () => {
    const state: Finding["state"] = { kind: "resolved", resolution: { how: "fixed", head: sha(2) } };
    expect(argue({ reply: waiver, proposal: "concede" }, { state })).toEqual({
      outcome: "moot",
      state,
      why: "already_resolved",
    });
  });
});

describe("a waiver", () => {
  it.each(["write", "admin"] as const)(
    "by a person with %s permission ends any finding, and names person and head",
    (permission) => {
      const resolution = { how: "waived", by: "rita", head: sha(4) };
      expect(argue({ reply: { ...waiver, permission } }, { score: 10 })).toEqual({
        outcome: "waived",
        state: { kind: "resolved", resolution },
        why: "waived_by_writer",
      });
    },
  );

  it.each<[Partial<Argued["reply"]>, DisputeOutcome["why"]]>([
    [{ permission: "read" }, "waiver_needs_write"],
    [{ permission: "none" }, "waiver_needs_write"],
    [{ permission: "undetermined" }, "waiver_undetermined"],
    [{ by: otherBot }, "waiver_needs_person"],
  ])("is refused from %o", (over, why) => {
    expect(argue({ reply: { ...waiver, ...over } })).toMatchObject({ outcome: "maintained", why });
  });

  it("that is refused is still an argument", () => {
    const refused = { ...waiver, permission: "read" as const };
    expect(argue({ reply: refused, proposal: "concede" }).outcome).toBe("conceded");
    expect(argue({ reply: refused, proposal: "concede" }, { score: 9 }).outcome).toBe("escalated");
  });
});

it("a serious finding is never resolved by anything but a waiver of a person with write permission", () => {
  const anyArgued = fc.record({
    proposal: fc.constantFrom("concede", "maintain", "escalate"),
    permission: fc.constantFrom("admin", "write", "read", "none", "undetermined"),
    by: fc.constantFrom(ada, rita, otherBot),
    asksWaiver: fc.boolean(),
    score: fc.integer({ min: 1, max: 10 }),
    kind: fc.constantFrom("open", "disputed", "escalated"),
  });
  fc.assert(
    fc.property(anyArgued, ({ proposal, score, kind, ...said }) => {
      const { state } = argue({ proposal, reply: { ...reply, ...said } }, { score, state: { kind } });
      const mayWaive = said.asksWaiver && said.by.kind === "person" && ["admin", "write"].includes(said.permission);
      expect(state.kind === "resolved").toBe(mayWaive || (proposal === "concede" && score <= concedableScoreMax));
    }),
  );
});
