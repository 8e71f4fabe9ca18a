import type { IgnoredReason } from "#core/approval/approval.ts";
import type { Action } from "#core/model/action.ts";
import { after, earliest, type Instant, secondMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";

/** When to look again if nothing pokes before: time itself changes the situation, and reactions send no webhook. */
export function planNextCheck(seen: Observation, situation: Situation): readonly Action[] {
  const at = earliest([
    situation.suppression.kind === "disabled_until" ? situation.suppression.until : undefined,
    situation.approval.timeoutAt ?? undefined,
    situation.review.retryAt ?? undefined,
    situation.fixing.kind === "waiting" ? situation.fixing.until : undefined,
    situation.conversation.retryAt ?? undefined,
    nextPoll(seen, situation),
    ...tooNew(situation).map((said) => after(said > seen.observedAt ? said : seen.observedAt, secondMs)),
  ]);
  if (at === undefined) return [];
  const later = at > seen.observedAt ? at : after(seen.observedAt, 1);
  return [{ kind: "look_again", key: actionKey("look_again", later), at: later }];
}

/** Times of what was said in the second of the observation or after it, so that its head is not certain yet. */
function tooNew(situation: Situation): readonly Instant[] {
  const approvals = situation.approval.ignored.filter(({ why }) => why === "after_observation");
  const commands = situation.commands.filter(
    ({ standing }) => standing.kind === "fresh" && standing.ruling.kind === "wait",
  );
  return [...approvals, ...commands].map(({ at }) => at);
}

function nextPoll(seen: Observation, situation: Situation): Instant | undefined {
  if (seen.pull.isDraft) return undefined;
  const watchesReactions = seen.rules.approval.protocols !== "reviews" && !areReactionsTold(seen, situation);
  const waitsForForge = seen.pull.mergeability.kind === "unknown";
  if (!watchesReactions && !waitsForForge && !waitsForGit(situation)) return undefined;
  if (situation.merge.kind === "done") return undefined;
  return after(seen.observedAt, seen.rules.approval.pollMs);
}

/** What git could not tell this time it may tell the next, and nothing pokes for it. */
function waitsForGit({ approval }: Situation): boolean {
  return approval.missing.some((one) => one.kind === "code_owners_unknown" && passing.has(one.why));
}

const passing: ReadonlySet<string> = new Set(["git_failed", "git_timed_out", "commit_missing"]);

/**
 * By a webhook, or by the poll of the repository, at a hundredth of the price of a look. A poll sees how many reactions
 * there are: a thumb that counts for nothing now, taken away and given anew, looks the same to it.
 */
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
