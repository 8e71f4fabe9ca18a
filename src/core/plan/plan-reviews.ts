import type { Action } from "#core/model/action.ts";
import type { ReviewTrigger } from "#core/model/records.ts";
import type { RunToCancel, RunToStart, Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { dismissedManualReview } from "#core/words/review-words.ts";

/** Reviews that nobody wants any more end before new ones begin: both would cost money. */
export function planReviews(situation: Situation): readonly Action[] {
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
    ...review.toComplete.map(
      (comment): Action => ({
        kind: "complete_manual_review",
        key: actionKey("complete_manual_review", comment),
        comment,
        head,
      }),
    ),
    ...review.toStart.map((run) => start(situation, run)),
  ];
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
    key: actionKey("start_review", head, baseBranch, run.role, triggerName(run.trigger)),
    head,
    baseBranch,
    role: run.role,
    trigger: run.trigger,
    round: situation.review.round,
    why: run.why,
    priority: 3,
  };
}

function triggerName(trigger: ReviewTrigger): string {
  return trigger.kind === "automatic" ? "automatic" : `manual ${trigger.comment}`;
}
