import type { Outcome } from "#act/effect.ts";
import { ensureAcknowledged } from "#act/ensure-acknowledged.ts";
import { ensureApprovalWithdrawn } from "#act/ensure-approval-withdrawn.ts";
import { ensureEmitted, ensureFeedbackEmitted } from "#act/ensure-emitted.ts";
import { ensureEscalated, ensureTakenBack } from "#act/ensure-escalated.ts";
import { ensureFindingClosed } from "#act/ensure-finding-closed.ts";
import { ensureGate } from "#act/ensure-gate.ts";
import { ensureHinted } from "#act/ensure-hinted.ts";
import { ensureManagedComment } from "#act/ensure-managed-comment.ts";
import { ensureMerged } from "#act/ensure-merged.ts";
import { ensureQueued } from "#act/ensure-queued.ts";
import { ensureRemembered } from "#act/ensure-remembered.ts";
import { ensureRequestEnded } from "#act/ensure-request-ended.ts";
import { ensureReviewPublished } from "#act/ensure-review-published.ts";
import { ensureReviewCancelled, ensureReviewStarted } from "#act/ensure-review-started.ts";
import { ensureSessionStarted, ensureSessionStopped, ensureSessionTold } from "#act/ensure-session.ts";
import { ensureTalk } from "#act/ensure-talk.ts";
import type { Turn } from "#act/turn.ts";
import type { Action, ActionOf } from "#core/model/action.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";

const done: Outcome = { kind: "done", result: null };

/** Carries out one action. Twice is once: each is an ensure, and a crash anywhere is repaired by planning again. */
export async function act(turn: Turn, action: Action): Promise<Outcome> {
  switch (action.kind) {
    case "record_head":
    case "record_approval":
    case "record_times":
      return await ensureRemembered(turn, action);
    case "acknowledge":
      return await ensureAcknowledged(turn, action);
    case "hint":
      return await ensureHinted(turn, action);
    case "classify":
    case "resolve_dispute":
    case "answer":
      return await ensureTalk(turn, action);
    case "start_review":
      return await ensureReviewStarted(turn, action);
    case "cancel_review":
      return await ensureReviewCancelled(turn, action);
    case "dismiss_manual_review":
    case "complete_manual_review":
      return await ensureRequestEnded(turn, action);
    case "withdraw_approval":
      return await ensureApprovalWithdrawn(turn, action);
    case "publish_review":
      return await ensureReviewPublished(turn, action);
    case "close_finding":
      return await ensureFindingClosed(turn, action);
    default:
      return await actLater(turn, action);
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

async function actLater(turn: Turn, action: LaterAction): Promise<Outcome> {
  switch (action.kind) {
    case "set_gate":
      return await ensureGate(turn, action);
    case "update_managed_comment":
      return await ensureManagedComment(turn, action);
    case "start_session":
      return await ensureSessionStarted(turn, action);
    case "message_session":
      return await ensureSessionTold(turn, action);
    case "stop_session":
      return await ensureSessionStopped(turn, action);
    case "escalate":
      return await ensureEscalated(turn, action);
    case "take_back":
      return await ensureTakenBack(turn, action);
    case "enqueue_merge":
    case "dequeue_merge":
      return await ensureQueued(turn, action);
    case "merge":
      return await ensureMerged(turn, action);
    case "emit":
      return await ensureEmitted(turn, action);
    case "emit_feedback":
      return await ensureFeedbackEmitted(turn, action);
    case "look_again":
      turn.lookAgain(onOwnClock(turn, action.at));
      return done;
    default:
      return never(action);
  }
}

/** The plan counts in the forge's time, the queue in this machine's: they may be apart by any span. */
function onOwnClock(turn: Turn, at: Instant): Instant {
  return after(turn.askedAt, Math.max(0, at - turn.seen.observedAt));
}
