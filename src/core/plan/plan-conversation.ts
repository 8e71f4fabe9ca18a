import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Addressed, Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { unansweredWords } from "#core/words/talk-words.ts";

/** So many remarks are read before everything else; the rest of a flood waits behind disputes, questions and reviews. */
const readFirstMax = 20;

/** Somebody waits for an answer: disputes first, then questions; what nobody understood yet is read first of all. */
export function planConversation(seen: Observation, situation: Situation): readonly Action[] {
  const { unclassified, disputes, questions, unanswered } = situation.conversation;
  return [
    ...unclassified.map(
      (one, index): Action => ({
        kind: "classify",
        key: actionKey("classify", one.remark.id, one.revision),
        comment: one.remark.id,
        revision: one.revision,
        thread: one.thread?.id ?? null,
        priority: index < readFirstMax ? 1 : 4,
      }),
    ),
    ...disputes.map(
      (dispute): Action => ({
        kind: "resolve_dispute",
        key: actionKey("resolve_dispute", dispute.thread.id, ...dispute.replies.flatMap(wording)),
        thread: dispute.thread.id,
        finding: dispute.finding.id,
        replies: dispute.replies.map((reply) => ({ comment: reply.remark.id, revision: reply.revision })),
        priority: 1,
      }),
    ),
    ...questions.map(
      (question): Action => ({
        kind: "answer",
        key: actionKey("answer", ...wording(question)),
        comment: question.remark.id,
        revision: question.revision,
        thread: question.thread?.id ?? null,
        earlierAnswer: question.earlierAnswer,
        priority: 2,
      }),
    ),
    ...(unanswered.length > 0 ? tellUnanswered(seen) : []),
  ];
}

/** Once for all of it: an answer to each would be what they are to do without. */
function tellUnanswered(seen: Observation): readonly Action[] {
  const key = actionKey("escalate", "outsider_answers");
  return planEscalation(seen, { key, severity: "info", text: unansweredWords(seen.rules) });
}

function wording(one: Addressed): readonly [string, string] {
  return [one.remark.id, one.revision];
}
