import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";

/** The forge is asked to merge one commit by name: if the head has moved meanwhile, it refuses. */
export function planMerge(situation: Situation, seen: Observation): readonly Action[] {
  if (situation.merge.kind !== "ready") return [];
  const { head } = situation.merge;
  return seen.rules.merge.how === "queue"
    ? [{ kind: "enqueue_merge", key: actionKey("enqueue_merge", head), head }]
    : [{ kind: "merge", key: actionKey("merge", head), head }];
}
