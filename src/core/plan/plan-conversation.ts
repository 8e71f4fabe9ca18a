import { botRemarksMax } from "#core/derive/bot-loops.ts";
import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Addressed, Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { closedWords, loopWords, unansweredWords } from "#core/words/talk-words.ts";

/** The rest of a flood waits behind disputes, questions and reviews. */
const readFirstMax = 20;

/** People wait for answers: disputes first, then questions. Unclassified remarks are read before both. */
export function planConversation(seen: Observation, situation: Situation): readonly Action[] {
  const { unclassified, disputes, questions, unanswered, isLooping } = situation.conversation;
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
    ...(isLooping ? tellLoop(seen) : []),
  ];
}

/** Once for all of it: one answer each would cost what the quota saves. */
function tellUnanswered(seen: Observation): readonly Action[] {
  const key = actionKey("escalate", "outsider_answers");
  return planEscalation(seen, { key, severity: "info", text: unansweredWords(seen.rules) });
}

/** Questions on a closed pull get one answer, all of them together. Remarks that ask nothing need none. */
export function planClosedTalk(seen: Observation, { conversation }: Situation): readonly Action[] {
  const { state } = seen.pull;
  const { unclassified, questions, disputes } = conversation;
  const asks = unclassified.some(({ remark }) => remark.body.includes("?"));
  if (state === "open" || (!asks && questions.length === 0 && disputes.length === 0)) return [];
  const key = actionKey("escalate", "closed");
  return planEscalation(seen, { key, severity: "info", text: closedWords(state, seen.rules.handle) }).map((told) =>
    told.kind === "escalate" ? { ...told, to: [] } : told,
  );
}

/** Once for each pull: a bot may answer that word too. */
function tellLoop(seen: Observation): readonly Action[] {
  const key = actionKey("escalate", "bot_loop");
  return planEscalation(seen, { key, severity: "info", text: loopWords(botRemarksMax, seen.rules.handle) });
}

function wording(one: Addressed): readonly [string, string] {
  return [one.remark.id, one.revision];
}
