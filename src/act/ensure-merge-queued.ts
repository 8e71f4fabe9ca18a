import type { EffectOutcome } from "#act/effect.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/decision/action.ts";

/** In or out of the queue of merges. Landing itself is a job: what is queued is looked at once more before it lands. */
export async function ensureMergeQueued(
  context: PullContext,
  action: ActionOf<"enqueue_merge" | "dequeue_merge">,
): Promise<EffectOutcome> {
  const { head, baseBranch } = action;
  await changeRecords(context, (records) => {
    if (action.kind === "enqueue_merge") return { ...records, mergeQueued: { head, baseBranch } };
    const { mergeQueued } = records;
    const isIt = mergeQueued?.head === head && mergeQueued.baseBranch === baseBranch;
    return isIt ? { ...records, mergeQueued: null } : records;
  });
  return { kind: "done", result: null };
}
