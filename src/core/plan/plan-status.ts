import { nextStatus } from "#core/approval/status-transition.ts";
import { lastObeyed } from "#core/derive/commands.ts";
import type { Action } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Observation } from "#core/model/observation.ts";
import type { CommandWord } from "#core/model/records.ts";
import type { Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { gateWords } from "#core/words/gate-words.ts";
import { managedComment, managedFooter } from "#core/words/managed-comment.ts";

export function planStatus(seen: Observation, situation: Situation): readonly Action[] {
  // The event before the comment, whose notes hold the status: else the comment is edited once more.
  return [
    ...setGate(seen, situation),
    ...emit(seen, situation),
    ...emitFeedback(seen, situation),
    ...updateManagedComment(seen, situation),
  ];
}

function setGate(seen: Observation, situation: Situation): readonly Action[] {
  const { gate } = situation;
  const text = gateWords(gate);
  if (seen.gate?.head === gate.head && seen.gate.state === gate.state && seen.gate.words === text) return [];
  const key = actionKey("set_gate", gate.head, gate.state, digestOf(text));
  return [{ kind: "set_gate", key, head: gate.head, state: gate.state, text }];
}

/** A draft gets one only if a command asked for it; an existing one is kept up to date. */
export function updateManagedComment(seen: Observation, situation: Situation): readonly Action[] {
  if (seen.pull.isDraft && seen.managedComment === null && !isAskedFor(situation)) return [];
  const words = managedComment(seen, situation);
  const digest = digestOf(words);
  if (seen.managedComment?.digest === digest) return [];
  const key = actionKey("update_managed_comment", digest);
  const text = `${words}\n\n${managedFooter(seen)}`;
  return [{ kind: "update_managed_comment", key, comment: seen.managedComment?.comment ?? null, text, digest }];
}

/** The managed comment answers these. */
const answeredThere: readonly CommandWord[] = ["cancel", "enable-reviews", "disable-reviews"];

function isAskedFor({ commands }: Situation): boolean {
  return lastObeyed(commands, answeredThere) !== undefined;
}

function emit(seen: Observation, situation: Situation): readonly Action[] {
  const changed = nextStatus(seen.records.status, situation.approval.status);
  if (changed === null) return [];
  const event = { ...changed.event, head: situation.heads.current.sha, at: seen.observedAt };
  return [{ kind: "emit", key: actionKey("emit", "approval", changed.next.count), event, next: changed.next }];
}

function emitFeedback(seen: Observation, { feedbackChange, heads }: Situation): readonly Action[] {
  if (feedbackChange === null) return [];
  const { received, addressed, next } = feedbackChange;
  const place = { head: heads.current.sha, at: seen.observedAt };
  return [
    {
      kind: "emit_feedback",
      key: actionKey("emit", "feedback", next.count),
      received: { ...place, remarks: received },
      addressed: { ...place, remarks: addressed },
      next,
    },
  ];
}
