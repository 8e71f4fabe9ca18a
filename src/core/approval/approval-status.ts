import type { AccountSignals } from "#core/approval/account-signals.ts";
import type { ApprovalInput } from "#core/approval/approval-input.ts";
import { type AskApprover, isOnlooker } from "#core/approval/approver.ts";
import { findStandingHead } from "#core/approval/head-binding.ts";
import type { MissingApproval } from "#core/approval/missing-approval.ts";
import type { Objection } from "#core/approval/objection.ts";
import { compareText } from "#core/compare-text.ts";
import { type Account, isPasserBy, permissionsByAccount } from "#core/model/account.ts";
import { after, type Instant } from "#core/model/instant.ts";

export type ApprovalOutcome =
  | { readonly status: "approved"; readonly why: { readonly kind: "enough_approvals"; readonly given: number } }
  | WaitingOutcome
  | {
      readonly status: "timeout";
      readonly why: {
        readonly kind: "timed_out";
        readonly since: Instant;
        readonly before: WaitingOutcome;
      };
    };

export type WaitingOutcome =
  | { readonly status: "in_progress"; readonly why: { readonly kind: "eyes"; readonly by: readonly Account[] } }
  | {
      readonly status: "changes_requested";
      readonly why:
        | { readonly kind: "objections"; readonly by: readonly Account[] }
        | { readonly kind: "remarks"; readonly remarks: readonly string[] };
    }
  | {
      readonly status: "pending";
      readonly why: { readonly kind: "no_approval_yet" } | { readonly kind: "not_enough"; readonly given: number };
    };

export interface OutcomeFacts {
  readonly voices: readonly AccountSignals[];
  readonly ask: AskApprover;
  readonly objections: readonly Objection[];
  readonly missing: readonly MissingApproval[];
  readonly given: number;
}

export type TimedOutcome = ApprovalOutcome & {
  readonly timeoutAt: Instant | null;
};

/** Waiting for any reason times out. A draft does not: reviewers cannot begin. */
export function decideStatus(seen: ApprovalInput, facts: OutcomeFacts): TimedOutcome {
  const outcome = decideUntimed(seen, facts);
  if (outcome.status === "approved" || seen.pull.isDraft) return { ...outcome, timeoutAt: null };
  const current = findStandingHead(seen);
  if (current === undefined) return { ...outcome, timeoutAt: null };
  const { readySince } = seen;
  const since = readySince !== null && readySince > current.since ? readySince : current.since;
  const timeoutAt = after(since, seen.rules.approval.timeoutMs);
  if (seen.observedAt < timeoutAt) return { ...outcome, timeoutAt };
  return { status: "timeout", why: { kind: "timed_out", since, before: outcome }, timeoutAt: null };
}

/** Only the eyes of somebody who could approve hide a request for changes: hiding it keeps the fixing from starting. */
function decideUntimed(
  seen: ApprovalInput,
  facts: OutcomeFacts,
): Exclude<ApprovalOutcome, { readonly status: "timeout" }> {
  const { objections, missing, given } = facts;
  if (missing.length === 0 && objections.length === 0) {
    return { status: "approved", why: { kind: "enough_approvals", given } };
  }
  const { protocols } = seen.rules.approval;
  const by = protocols === "reviews" ? [] : lookersOf(facts);
  const hiding = by.filter((account) => facts.ask(account) === "permitted");
  if (hiding.length > 0) return { status: "in_progress", why: { kind: "eyes", by: hiding } };
  if (objections.length > 0) {
    const objectors = objections.map((objection) => objection.account);
    return { status: "changes_requested", why: { kind: "objections", by: objectors } };
  }
  // If the protocol is formal reviews, a remark is just a remark. A person whose approval counts has seen them.
  const remarks = protocols === "reviews" || given > 0 ? [] : remarkIds(seen);
  if (remarks.length > 0) return { status: "changes_requested", why: { kind: "remarks", remarks } };
  if (by.length > 0) return { status: "in_progress", why: { kind: "eyes", by } };
  return { status: "pending", why: given === 0 ? { kind: "no_approval_yet" } : { kind: "not_enough", given } };
}

/** People leave their eyes on after objecting, so eyes that are not newer than one's own objection do not count. */
function lookersOf(facts: OutcomeFacts): readonly Account[] {
  const objectedAt = new Map(facts.objections.map((objection) => [objection.account.id, objection.at]));
  const looking = facts.voices.filter(({ account, eyes }) => {
    const spentAt = objectedAt.get(account.id) ?? -1;
    return eyes.some((one) => one.createdAt > spentAt) && isOnlooker(facts.ask(account));
  });
  return looking.map((voice) => voice.account);
}

/** Otherwise any passer-by could hold the pull up. */
function remarkIds({ feedback, permissions }: ApprovalInput): readonly string[] {
  const known = permissionsByAccount(permissions);
  const counting = feedback.filter(({ author }) => !isPasserBy(known.get(author)));
  const ordered = counting.sort((left, right) => left.at - right.at || compareText(left.id, right.id));
  return [...new Set(ordered.map((remark) => remark.id))];
}
