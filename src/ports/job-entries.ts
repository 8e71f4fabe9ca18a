import { runSubject } from "#core/blocks/block.ts";
import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { AbandonJobData, ReviewJobData, ReviewQueueData } from "#core/model/job.ts";
import type { ReviewRun, SessionRecord } from "#core/model/records.ts";
import { type PullKey, pullKeyOf } from "#ports/pull-ref.ts";
import type { QueueEntry } from "#ports/queue.ts";

/** Found again by their names, and never started twice. */
export function reviewJobKey(pull: PullKey, run: ReviewRun): string {
  return `${pull}/review/${runSubject(run)}`;
}

export function sessionJobKey(pull: PullKey, session: Pick<SessionRecord, "id">): string {
  return `${pull}/session/${session.id}`;
}

/** Ends a run that is not needed any more: see `jobs/abandon-run.ts`. */
export function abandonEntry(
  instance: InstanceId,
  { pull, run }: Pick<ReviewJobData, "pull" | "run">,
  { at, priority }: { readonly at: Instant | null; readonly priority: number },
): QueueEntry {
  const payload: AbandonJobData = { kind: "abandon", pull, run };
  return { queue: "review", key: abandonJobKey(instance, payload), at, whileRunning: "keep", priority, payload };
}

/** Before migration 0012 entries had no kind: the key alone tells it, which is why the key stays what it was. */
export function readReviewEntry(
  instance: InstanceId,
  key: string,
  data: ReviewQueueData,
): { readonly kind: "review"; readonly data: ReviewJobData } | AbandonJobData {
  if ("kind" in data) return data;
  const { pull, run } = data;
  return key === abandonJobKey(instance, data) ? { kind: "abandon", pull, run } : { kind: "review", data };
}

function abandonJobKey(instance: InstanceId, { pull, run }: Pick<ReviewJobData, "pull" | "run">): string {
  return `${reviewJobKey(pullKeyOf(instance, pull), run)}/drop`;
}
