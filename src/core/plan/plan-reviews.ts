import type { Action } from "#core/model/action.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewTrigger } from "#core/model/records.ts";
import type { RunToCancel, RunToStart, Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import {
  completedManualReview,
  dismissedManualReview,
  failedReview,
  outsiderBudgetUsed,
} from "#core/words/review-words.ts";

/** Unneeded reviews end first, because both would cost money. */
export function planReviews(seen: Observation, situation: Situation): readonly Action[] {
  const { review, heads } = situation;
  const head = heads.current.sha;
  return [
    ...review.toCancel.map(cancel),
    ...review.toDismiss.map(
      (comment): Action => ({
        kind: "dismiss_manual_review",
        key: actionKey("dismiss_manual_review", comment),
        comment,
        head,
        text: dismissedManualReview(head),
      }),
    ),
    ...review.failedManual.flatMap((request) =>
      planEscalation(seen, {
        key: actionKey("escalate", "review", head, request.role, request.comment),
        severity: "warning",
        text: failedReview(seen, situation, request),
      }),
    ),
    ...(review.overBudget.length > 0 ? outOfBudget(seen) : []),
    ...review.toComplete.map(
      (comment): Action => ({
        kind: "complete_manual_review",
        key: actionKey("complete_manual_review", comment),
        comment,
        head,
        text: endWords(seen, situation, comment),
      }),
    ),
    ...review.toStart.map((run) => start(situation, run)),
  ];
}

/** The report of a failure needs no second word. */
function endWords(seen: Observation, { review, findings }: Situation, comment: CommentId): string | null {
  const isFailed = review.failedManual.some((request) => request.comment === comment);
  return seen.rules.reviews.tellsEnd && !isFailed ? completedManualReview(seen, findings) : null;
}

/** Said once: a command is refused each time, but words in a conversation are not repeated. */
function outOfBudget(seen: Observation): readonly Action[] {
  const key = actionKey("escalate", "outsider_budget");
  return planEscalation(seen, { key, severity: "info", text: outsiderBudgetUsed(seen) });
}

function cancel({ run, why }: RunToCancel): Action {
  const { head, baseBranch, role, trigger } = run;
  const key = actionKey("cancel_review", head, baseBranch, role, triggerName(trigger), run.startedAt);
  return { kind: "cancel_review", key, head, baseBranch, role, trigger, why };
}

function start(situation: Situation, run: RunToStart): Action {
  const { sha: head, baseBranch } = situation.heads.current;
  return {
    kind: "start_review",
    key: actionKey("start_review", head, baseBranch, run.role, triggerName(run.trigger), run.follows ?? "first"),
    head,
    baseBranch,
    role: run.role,
    trigger: run.trigger,
    round: run.round,
    attempt: run.attempt,
    why: run.why,
    priority: 3,
  };
}

function triggerName(trigger: ReviewTrigger): string {
  return trigger.kind === "automatic" ? "automatic" : `manual ${trigger.comment}`;
}
