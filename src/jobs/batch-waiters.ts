import { z } from "zod";
import { ReviewJobData } from "#core/model/job.ts";
import type { JobContext } from "#jobs/job-context.ts";
import type { BatchHandle } from "#ports/batches.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { reviewJobKey } from "#ports/job-entries.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";

const Waiting = z.strictObject({ key: z.string().min(1), data: ReviewJobData });

/** The provider's message names only the batch. */
export async function saveBatchWaiter(
  { context, data }: { readonly context: JobContext; readonly data: ReviewJobData },
  handle: BatchHandle,
): Promise<void> {
  await context.dependencies.store.saveStep({ job: stepsOf(handle.id), step }, { key: context.key, data });
}

export async function deleteBatchWaiter({ dependencies }: JobContext, handle: BatchHandle): Promise<void> {
  await dependencies.store.forgetSteps(stepsOf(handle.id));
}

/** The message has no other effect. An unknown batch belongs to another installation. */
export async function wakeBatchWaiter(
  { store, queue, instance }: Pick<Dependencies, "store" | "queue" | "instance">,
  batch: string,
): Promise<"brought_forward" | "unknown"> {
  const found = Waiting.safeParse(await store.findStep({ job: stepsOf(batch), step })).data;
  if (found === undefined) return "unknown";
  const { key, data } = found;
  if (key !== reviewJobKey(pullKeyOf(instance, data.pull), data.run)) return "unknown";
  await queue.put({ queue: "review", key, at: null, whileRunning: "keep", priority: 3, payload: data });
  return "brought_forward";
}

const step = "waiting";

function stepsOf(batch: string): string {
  return `batch ${batch}`;
}
