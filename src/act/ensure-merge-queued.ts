import type { EffectOutcome } from "#act/effect.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/model/action.ts";

/** Landing is a job, which reads the pull once more before it merges. */
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
