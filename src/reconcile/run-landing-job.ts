import { ensureMerged } from "#act/ensure-merged.ts";
import { createPullContext } from "#act/pull-context.ts";
import { derive } from "#core/derive/derive.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { actionKey } from "#core/plan/action-key.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { TickContext } from "#reconcile/tick.ts";

export async function runLandingJob(
  tickContext: TickContext,
  { pull, head, baseBranch }: { readonly pull: PullRef; readonly head: HeadSha; readonly baseBranch: string },
): Promise<void> {
  const look = await tickContext.observer.observe(pull);
  if (look.kind === "stale") {
    tickContext.scheduleCheck(look.retryAt);
    return;
  }
  const pullContext = createPullContext(tickContext.dependencies, look.observed, tickContext);
  const { merge, heads } = derive(pullContext.seen);
  const isWanted = merge.kind === "queued" && merge.head === head && heads.current.baseBranch === baseBranch;
  if (!isWanted) return;
  const landed = await ensureMerged(pullContext, {
    key: actionKey("merge", head, baseBranch),
    head,
    baseBranch,
    wish: merge.wish,
  });
  tickContext.scheduleCheck(landed.kind === "done" ? tickContext.dependencies.clock.now() : landed.at);
}
