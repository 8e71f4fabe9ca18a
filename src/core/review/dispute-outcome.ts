import type { Account, Permission } from "#core/model/account.ts";
import type { Finding, FindingState } from "#core/model/finding.ts";
import type { CommentId, HeadSha } from "#core/model/ids.ts";
import { never } from "#core/never.ts";

/** Above it only a waiver by name, or other code, settles a finding. */
export const concedableScoreMax = 8;

export interface DisputeReply {
  readonly comment: CommentId;
  readonly by: Account;
  readonly permission: Permission;
  /** Read from the text by rules, never by a model. */
  readonly asksWaiver: boolean;
  readonly waiverReason?: string | null;
}

export interface Argued {
  readonly finding: Finding;
  readonly reply: DisputeReply;
  readonly proposal: "concede" | "maintain" | "escalate";
  readonly head: HeadSha;
}

export interface DisputeOutcome {
  readonly outcome: "conceded" | "maintained" | "escalated" | "waived" | "moot";
  readonly state: FindingState;
  readonly why:
    | "already_resolved"
    | "waived_by_writer"
    | "convinced"
    | "not_convinced"
    | "undecided"
    | "score_needs_person"
    | "waiver_needs_person"
    | "waiver_needs_write"
    | "waiver_undetermined";
}

/** The model proposes; this decides. */
export function disputeOutcome(argued: Argued): DisputeOutcome {
  const { finding, reply, proposal, head } = argued;
  if (finding.state.kind === "resolved") return { outcome: "moot", state: finding.state, why: "already_resolved" };
  const waiver = waiverOf(reply);
  if (waiver === "granted") {
    const { waiverReason: reason = null } = reply;
    const resolution = { how: "waived", by: reply.by.login, head, ...(reason === null ? {} : { reason }) } as const;
    return { outcome: "waived", state: { kind: "resolved", resolution }, why: "waived_by_writer" };
  }
  switch (proposal) {
    case "concede":
      return concede(finding, reply);
    case "maintain":
      return { outcome: "maintained", state: maintained(finding.state), why: waiver ?? "not_convinced" };
    case "escalate":
      return { outcome: "escalated", state: { kind: "escalated" }, why: "undecided" };
    default:
      return never(proposal);
  }
}

/** A bot with write permission cannot waive. */
function waiverOf({ asksWaiver, by, permission }: DisputeReply): "granted" | WaiverRefusal | null {
  if (!asksWaiver) return null;
  if (by.kind !== "person") return "waiver_needs_person";
  if (permission === "undetermined") return "waiver_undetermined";
  return permission === "write" || permission === "admin" ? "granted" : "waiver_needs_write";
}

type WaiverRefusal = Extract<DisputeOutcome["why"], `waiver_${string}`>;

function concede({ score }: Finding, { comment }: DisputeReply): DisputeOutcome {
  if (score > concedableScoreMax)
    return { outcome: "escalated", state: { kind: "escalated" }, why: "score_needs_person" };
  const resolution = { how: "conceded", reply: comment } as const;
  return { outcome: "conceded", state: { kind: "resolved", resolution }, why: "convinced" };
}

/** The argument is answered, so the finding is open again; where people were called, they still are. */
function maintained(state: FindingState): FindingState {
  return state.kind === "escalated" ? state : { kind: "open" };
}
