import type { EffectOutcome } from "#act/effect.ts";
import { ensureAcknowledged } from "#act/ensure-acknowledged.ts";
import { ensureApprovalWithdrawn } from "#act/ensure-approval-withdrawn.ts";
import { ensureEscalated, ensureTakenBack } from "#act/ensure-escalated.ts";
import { ensureFindingClosed } from "#act/ensure-finding-closed.ts";
import { ensureGate } from "#act/ensure-gate.ts";
import { ensureHinted } from "#act/ensure-hinted.ts";
import { ensureManagedComment } from "#act/ensure-managed-comment.ts";
import { ensureManualReviewEnded } from "#act/ensure-manual-review-ended.ts";
import { ensureMergeQueued } from "#act/ensure-merge-queued.ts";
import { ensureMerged } from "#act/ensure-merged.ts";
import { ensureRecorded } from "#act/ensure-recorded.ts";
import { ensureReviewPublished } from "#act/ensure-review-published.ts";
import { ensureReviewCancelled, ensureReviewStarted } from "#act/ensure-review-started.ts";
import { ensureSessionMessaged, ensureSessionStarted, ensureSessionStopped } from "#act/ensure-session.ts";
import { ensureFeedbackEmitted, ensureStatusEventSent } from "#act/ensure-status-event.ts";
import { ensureTalkJob } from "#act/ensure-talk-job.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { Action, ActionOf } from "#core/model/action.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";

const done: EffectOutcome = { kind: "done", result: null };

/** Twice is once: each action is an ensure, and planning again repairs a crash anywhere. */
export async function act(context: PullContext, action: Action): Promise<EffectOutcome> {
  switch (action.kind) {
    case "record_head":
    case "record_approval":
    case "record_times":
      return await ensureRecorded(context, action);
    case "acknowledge":
      return await ensureAcknowledged(context, action);
    case "hint":
      return await ensureHinted(context, action);
    case "classify":
    case "resolve_dispute":
    case "answer":
      return await ensureTalkJob(context, action);
    case "start_review":
      return await ensureReviewStarted(context, action);
    case "cancel_review":
      return await ensureReviewCancelled(context, action);
    case "dismiss_manual_review":
    case "complete_manual_review":
      return await ensureManualReviewEnded(context, action);
    case "withdraw_approval":
      return await ensureApprovalWithdrawn(context, action);
    case "publish_review":
      return await ensureReviewPublished(context, action);
    case "close_finding":
      return await ensureFindingClosed(context, action);
    default:
      return await actLater(context, action);
  }
}

type LaterAction = ActionOf<
  | "set_gate"
  | "update_managed_comment"
  | "start_session"
  | "message_session"
  | "stop_session"
  | "escalate"
  | "take_back"
  | "enqueue_merge"
  | "dequeue_merge"
  | "merge"
  | "emit"
  | "emit_feedback"
  | "look_again"
>;

async function actLater(context: PullContext, action: LaterAction): Promise<EffectOutcome> {
  switch (action.kind) {
    case "set_gate":
      return await ensureGate(context, action);
    case "update_managed_comment":
      return await ensureManagedComment(context, action);
    case "start_session":
      return await ensureSessionStarted(context, action);
    case "message_session":
      return await ensureSessionMessaged(context, action);
    case "stop_session":
      return await ensureSessionStopped(context, action);
    case "escalate":
      return await ensureEscalated(context, action);
    case "take_back":
      return await ensureTakenBack(context, action);
    case "enqueue_merge":
    case "dequeue_merge":
      return await ensureMergeQueued(context, action);
    case "merge":
      return await ensureMerged(context, action);
    case "emit":
      return await ensureStatusEventSent(context, action);
    case "emit_feedback":
      return await ensureFeedbackEmitted(context, action);
    case "look_again":
      context.scheduleCheck(onOwnClock(context, action.at));
      return done;
    default:
      return never(action);
  }
}

/** The plan counts in the forge's time, the queue in this machine's, and the two may differ by any span. */
function onOwnClock(context: PullContext, at: Instant): Instant {
  return after(context.askedAt, Math.max(0, at - context.seen.observedAt));
}
