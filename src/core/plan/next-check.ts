import type { IgnoredReason } from "#core/approval/approval.ts";
import type { Action } from "#core/model/action.ts";
import { after, earliest, hourMs, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";

/** When to look next if nothing failed, in the order of the day. docs/pauses.md lists the pauses after failures. */

/** A forge may show the tick after a poke the past, so a reminder follows. */
export const reminders = {
  /** A waiting entry is never postponed, so the next span has one of its own. */
  next: (now: Instant, settleMs: number): { readonly at: Instant; readonly span: number } => ({
    at: after(now, settleMs + (settleMs - (now % settleMs))),
    span: Math.floor(now / settleMs),
  }),
  /** It adds nothing where approvals are looked for as often anyway. */
  tickAt: (now: Instant): Instant => after(now, 30 * secondMs),
} as const;

/** Time itself changes the situation, and reactions send no webhook. */
export function planNextCheck(seen: Observation, situation: Situation): readonly Action[] {
  const at = earliest([
    situation.suppression.kind === "disabled_until" ? situation.suppression.until : undefined,
    situation.approval.timeoutAt ?? undefined,
    situation.review.retryAt ?? undefined,
    situation.fixing.kind === "waiting" ? situation.fixing.until : undefined,
    situation.conversation.retryAt ?? undefined,
    nextPollOfPull(seen, situation),
    ...tooNew(situation).map((said) => after(said > seen.observedAt ? said : seen.observedAt, secondMs)),
  ]);
  if (at === undefined) return [];
  const later = at > seen.observedAt ? at : after(seen.observedAt, 1);
  return [{ kind: "look_again", key: actionKey("look_again", later), at: later }];
}

/** The head of what was said in the second of the observation is not certain yet. */
function tooNew(situation: Situation): readonly Instant[] {
  const approvals = situation.approval.ignored.filter(({ why }) => why === "after_observation");
  const commands = situation.commands.filter(
    ({ standing }) => standing.kind === "fresh" && standing.ruling.kind === "wait",
  );
  return [...approvals, ...commands].map(({ at }) => at);
}

function nextPollOfPull(seen: Observation, situation: Situation): Instant | undefined {
  if (seen.pull.isDraft) return undefined;
  const watchesReactions = seen.rules.approval.protocols !== "reviews" && !areReactionsTold(seen, situation);
  const waitsForForge = seen.pull.mergeability.kind === "unknown";
  if (!watchesReactions && !waitsForForge && !waitsForGit(situation)) return undefined;
  if (situation.merge.kind === "done") return undefined;
  return after(seen.observedAt, seen.rules.approval.pollMs);
}

/** Git may tell it the next time, and nothing pokes for it. */
function waitsForGit({ approval }: Situation): boolean {
  return approval.missing.some((one) => one.kind === "code_owners_unknown" && passing.has(one.why));
}

const passing: ReadonlySet<string> = new Set(["git_failed", "git_timed_out", "commit_missing"]);

/** A poll counts reactions at a hundredth of the price of a look: a thumb taken away and given anew looks the same. */
function areReactionsTold(seen: Observation, { approval }: Situation): boolean {
  if (seen.capabilities.hasReactionEvents) return true;
  return (
    seen.isPolled && !approval.ignored.some(({ protocol, why }) => protocol === "emoji" && mayBeGivenAnew.has(why))
  );
}

const mayBeGivenAnew: ReadonlySet<IgnoredReason> = new Set<IgnoredReason>([
  "older_head",
  "other_base",
  "before_head_known",
  "head_unknown",
  "after_observation",
]);

/** When a tick wants the next one because of what it has done. */
export const afterTick = {
  /** What follows from an earlier turn's work is decided now that it is done. */
  settled: (now: Instant): Instant => now,
  acted: (now: Instant): Instant => after(now, 2 * secondMs),
  /** The base branch has one entry for all pulls that wait for it. */
  queuedToMerge: (now: Instant): Instant => after(now, 30 * secondMs),
  /** Notes of an ended pull are checked once more, when no read is stale any longer. */
  notesSaved: (now: Instant): Instant => after(now, hourMs),
} as const;

/** How often the open pulls of a repository are looked over. */
export const cadence = {
  /** Where something has just happened, more is likely to. */
  msMin: 30 * secondMs,
  /** Webhooks tell most of it sooner; this is how late the rest may be. */
  msMax: 10 * minuteMs,
  /** After each look that found nothing. */
  growth: 1.5,
  /** With less than this part of the budget left, and less than of its hour, looks become rarer in proportion. */
  scarceShare: 0.5,
  /** The rest is left to answers and reviews: the next look waits for a new budget. */
  lastShare: 0.1,
} as const;

interface RateLimitLeft {
  readonly left: number;
  readonly limit: number;
  readonly resetAt: Instant;
}

interface PollResult {
  readonly everyMs: number;
  readonly poked: number;
  readonly budget: RateLimitLeft | null;
  readonly now: Instant;
  readonly msMax: number;
}

/** The pause is told before the budget is considered. */
export function nextPoll({ everyMs, poked, budget, now, msMax }: PollResult): {
  readonly at: Instant;
  readonly everyMs: number;
} {
  const wanted = poked > 0 ? cadence.msMin : Math.round(everyMs * cadence.growth);
  const paceMs = Math.min(msMax, cadence.msMax, Math.max(cadence.msMin, wanted));
  return { at: affordable(after(now, paceMs), { paceMs, budget, now }), everyMs: paceMs };
}

function affordable(
  at: Instant,
  { paceMs, budget, now }: { readonly paceMs: number; readonly budget: RateLimitLeft | null; readonly now: Instant },
): Instant {
  if (budget === null || budget.limit <= 0 || budget.resetAt <= now) return at;
  const share = budget.left / budget.limit;
  if (share < cadence.lastShare) return budget.resetAt > at ? budget.resetAt : at;
  // The rest of the rate limit may be used up when its hour is nearly over.
  const fairShare = Math.min(cadence.scarceShare, (budget.resetAt - now) / hourMs);
  return share < fairShare ? after(now, Math.round((paceMs * fairShare) / share)) : at;
}
