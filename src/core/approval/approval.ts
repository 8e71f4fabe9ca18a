import { type AccountSignals, type ApprovalSignal, signalsByAccount } from "#core/approval/account-signals.ts";
import type { ApprovalInput } from "#core/approval/approval-input.ts";
import { type ApprovalOutcome, decideStatus } from "#core/approval/approval-status.ts";
import { type ApproverStanding, type AskApprover, approversOf } from "#core/approval/approver.ts";
import type { InvalidOwnerLine } from "#core/approval/code-owners.ts";
import { type BindToHead, headBinder, type UnboundReason } from "#core/approval/head-binding.ts";
import { findMissing, type MissingApproval } from "#core/approval/missing-approval.ts";
import { findObjections, isSuperseded, type Objection } from "#core/approval/objection.ts";
import { membersByTeam } from "#core/approval/team-members.ts";
import { compareText } from "#core/compare-text.ts";
import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { ApprovalRecord } from "#core/model/records.ts";

export type Approval = ApprovalOutcome & {
  /** Approving in two ways is one approval. */
  readonly counted: readonly CountedApproval[];
  readonly ignored: readonly IgnoredApproval[];
  readonly objections: readonly Objection[];
  /** Empty, together with no objections, is what approved means. */
  readonly missing: readonly MissingApproval[];
  /** Their head is certain now and may not be later, so they are written down at once. */
  readonly toRecord: readonly ApprovalRecord[];
  /** Null where it does not time out, or already has. */
  readonly timeoutAt: Instant | null;
  readonly invalidOwnerLines: readonly InvalidOwnerLine[];
};

export interface CountedApproval {
  readonly account: Account;
  readonly signal: string;
  readonly at: Instant;
  readonly head: HeadSha;
  readonly protocol: ApprovalSignal["protocol"];
  /** The head has changed since by a rebase with an identical patch. */
  readonly isCarried: boolean;
}

export interface IgnoredApproval {
  readonly account: Account;
  readonly signal: string;
  readonly at: Instant;
  readonly protocol: ApprovalSignal["protocol"];
  readonly why: IgnoredReason;
}

export type IgnoredReason =
  | Exclude<ApproverStanding, "permitted">
  | UnboundReason
  | "protocol_off"
  /** The same person asked for changes since, or had a review dismissed. */
  | "superseded"
  | "same_person";

export function deriveApproval(seen: ApprovalInput): Approval {
  const members = membersByTeam(seen.teams);
  const ask = approversOf(seen, members);
  const voices = signalsByAccount(seen);
  const weighed = weigh(seen, voices, { ask, bind: headBinder(seen) });
  const objections = findObjections(voices, ask, seen.rules.approval.protocols);
  const approvers = weighed.counted.map((approval) => approval.account);
  const { missing, invalidOwnerLines } = findMissing(seen, members, approvers);
  const given = weighed.counted.length;
  const outcome = decideStatus(seen, { voices, ask, objections, missing, given });
  return { ...outcome, ...weighed, objections, missing, invalidOwnerLines };
}

type Weighed = Pick<Approval, "counted" | "ignored" | "toRecord">;

interface Scales {
  readonly ask: AskApprover;
  readonly bind: BindToHead;
}

function weigh(seen: ApprovalInput, voices: readonly AccountSignals[], scales: Scales): Weighed {
  const counted: CountedApproval[] = [];
  const ignored: IgnoredApproval[] = [];
  const toRecord: ApprovalRecord[] = [];
  for (const voice of voices) {
    const valid: CountedApproval[] = [];
    for (const signal of voice.approvals) {
      const sign = { account: voice.account, signal: signal.id, at: signal.at, protocol: signal.protocol };
      const refusal = refuse(signal, voice, { seen, scales });
      const binding = scales.bind(signal);
      if (refusal !== undefined) ignored.push({ ...sign, why: refusal });
      else if (binding.kind === "unbound") ignored.push({ ...sign, why: binding.why });
      else {
        valid.push({ ...sign, head: binding.head, isCarried: binding.isCarried });
        if (!binding.isRecorded) toRecord.push(recordOf(signal, seen));
      }
    }
    const [first, ...others] = valid.sort(preferred);
    if (first !== undefined) counted.push(first);
    for (const { account, signal, at, protocol } of others) {
      ignored.push({ account, signal, at, protocol, why: "same_person" });
    }
  }
  return { counted: counted.sort(inTime), ignored: ignored.sort(inTime), toRecord: toRecord.sort(inTime) };
}

function refuse(
  signal: ApprovalSignal,
  voice: AccountSignals,
  { seen, scales }: { readonly seen: ApprovalInput; readonly scales: Scales },
): IgnoredReason | undefined {
  const { protocols } = seen.rules.approval;
  if (protocols !== "both" && protocols !== signal.protocol) return "protocol_off";
  const standing = scales.ask(voice.account);
  if (standing !== "permitted") return standing;
  return isSuperseded(signal, voice) ? "superseded" : undefined;
}

/** Only called for what is proven for the head that stands now. */
function recordOf(signal: ApprovalSignal, seen: ApprovalInput): ApprovalRecord {
  return {
    account: signal.account.id,
    signal: signal.id,
    at: signal.at,
    head: seen.pull.head.sha,
    baseBranch: seen.pull.base.branch,
  };
}

/** An approval for this very head before a carried one, then the first. */
function preferred(left: CountedApproval, right: CountedApproval): number {
  return Number(left.isCarried) - Number(right.isCarried) || inTime(left, right);
}

interface Timed {
  readonly signal: string;
  readonly at: Instant;
}

function inTime(left: Timed, right: Timed): number {
  return left.at - right.at || compareText(left.signal, right.signal);
}
