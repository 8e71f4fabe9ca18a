import type { Action, ActionOf } from "#core/model/action.ts";
import { formatInstant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { counted } from "#core/words/counted.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function actionWords(action: Action): string {
  switch (action.kind) {
    case "record_head":
      return `remember head ${shortSha(action.head.sha)} on ${action.head.baseBranch}`;
    case "record_approval":
      return `remember that ${shortSha(action.approval.head)} was approved (${action.approval.signal})`;
    case "record_times":
      return "remember since when this has held";
    case "acknowledge":
      return `answer the command "${action.record.word}": ${action.record.outcome}`;
    case "hint":
      return `say why comment ${action.hint.comment} was not obeyed`;
    case "classify":
      return `find out what comment ${action.comment} asks for`;
    case "resolve_dispute":
      return `settle the dispute in thread ${action.thread} (${counted(action.replies.length, "reply", "replies")})`;
    case "answer":
      return `answer the question in comment ${action.comment}${action.earlierAnswer === null ? "" : " anew"}`;
    case "start_review":
      return `start the ${action.role} review of ${shortSha(action.head)} (${startReasons[action.why]})`;
    case "cancel_review":
      return `cancel the ${action.role} review of ${shortSha(action.head)} (${cancelReasons[action.why]})`;
    case "dismiss_manual_review":
      return `dismiss the request in comment ${action.comment}: the automatic review covers it`;
    case "complete_manual_review":
      return `mark the request in comment ${action.comment} as done`;
    case "withdraw_approval":
      return `withdraw the approval of the ${action.role} review: ${shortSha(action.head)} is not read whole`;
    case "publish_review":
      return publishWords(action);
    case "close_finding":
      return `close the thread of finding ${action.finding.slice(0, 8)}`;
    case "set_gate":
      return `set the gate of ${shortSha(action.head)} to ${action.state}: ${action.text}`;
    case "update_managed_comment":
      return `${action.comment === null ? "write" : "edit"} the managed comment`;
    case "start_session":
      return `start a fixing session on ${shortSha(action.head)} for ${action.purpose}`;
    case "message_session":
      return `tell session ${action.session} about ${counted(action.feedback.length, "new remark", "new remarks")}`;
    case "stop_session":
      return `stop session ${action.session}`;
    case "escalate":
      return `call for people (${action.severity})`;
    case "take_back":
      return "say in the comment about a failure that it is solved";
    case "enqueue_merge":
      return `put ${shortSha(action.head)} into the merge queue`;
    case "dequeue_merge":
      return `take ${shortSha(action.head)} out of the merge queue`;
    case "merge":
      return `merge exactly ${shortSha(action.head)}`;
    case "emit":
      return `tell that the approval went from ${action.event.from ?? "nothing"} to ${action.event.to}`;
    case "emit_feedback": {
      const { received, addressed } = action;
      return `tell that ${counted(received.remarks.length, "remark", "remarks")} came and ${addressed.remarks.length} were addressed`;
    }
    case "look_again":
      return `check again at ${formatInstant(action.at)}`;
    default:
      return never(action);
  }
}

const startReasons = {
  new_head: "new head",
  restarted: "it was interrupted",
  retried: "the last attempt failed",
  requested: "asked for",
} as const satisfies Record<ActionOf<"start_review">["why"], string>;

const cancelReasons = {
  newer_head: "there is a newer head",
  suppression: "reviews were switched off",
  command: "by command",
  closed: "the pull is closed",
  role_removed: "the role is no longer configured",
} as const satisfies Record<ActionOf<"cancel_review">["why"], string>;

function publishWords(action: ActionOf<"publish_review">): string {
  const { update, role } = action;
  switch (update.kind) {
    case "post":
      return `post the ${role} review: ${update.event}`;
    case "edit":
      return `edit the ${role} review in place`;
    case "supersede_and_post":
      return `mark the earlier ${role} review as superseded and post: ${update.event}`;
    case "nothing":
    case "wait":
      return `leave the ${role} review as it is`;
    default:
      return never(update);
  }
}
