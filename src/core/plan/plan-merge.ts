import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { mergeReturnedWords } from "#core/words/escalation-words.ts";

/** The forge refuses if the head has moved. A hold or a withdrawn approval takes the pull out of a queue again. */
export function planMerge(situation: Situation, seen: Observation): readonly Action[] {
  const { merge, heads } = situation;
  const queued = seen.records.mergeQueued;
  const dequeue: readonly Action[] =
    queued === null || merge.kind === "queued"
      ? []
      : [{ kind: "dequeue_merge", key: actionKey("dequeue_merge", queued.head, queued.baseBranch), ...queued }];
  if (merge.kind !== "ready") return [...dequeue, ...planGivenBack(situation, seen)];
  const { head, wish } = merge;
  const { baseBranch } = heads.current;
  return seen.rules.merge.how === "queue"
    ? [...dequeue, { kind: "enqueue_merge", key: actionKey("enqueue_merge", head, baseBranch), head, baseBranch }]
    : [...dequeue, { kind: "merge", key: actionKey("merge", head, baseBranch), head, baseBranch, wish }];
}

function planGivenBack({ flightPlan }: Situation, seen: Observation): readonly Action[] {
  const wanted = flightPlan.conditions.find((condition) => condition.kind === "merge_wanted");
  if (wanted?.givenBack === undefined || wanted.givenBack === null) return [];
  const { head, baseBranch, wish } = wanted.givenBack;
  const key = actionKey("escalate", "handed_back", head, baseBranch, wish ?? "");
  return planEscalation(seen, { key, severity: "warning", text: mergeReturnedWords(head) });
}
