import { z } from "zod";
import type { QueueAdmin } from "#app/queue/queue-admin.ts";
import { InstanceId } from "#core/model/ids.ts";
import { queueNames } from "#ports/queue.ts";

export const queuePaths = { overview: "/api/queue", retry: "/api/queue/retry" } as const;

export const QueueRetryRequest = z.strictObject({
  instance: InstanceId,
  queue: z.enum(queueNames),
  key: z.string().min(1),
});

export const QueueOverviewResponse = z.object({
  queues: z.array(
    z.object({
      instance: z.string(),
      queue: z.string(),
      waiting: z.number(),
      due: z.number(),
      running: z.number(),
      buried: z.number(),
    }),
  ),
  buried: z.array(
    z.object({
      instance: InstanceId,
      queue: z.enum(queueNames),
      key: z.string(),
      attempts: z.number(),
      why: z.string(),
      since: z.number(),
    }),
  ),
});
export type QueueOverviewResponse = z.infer<typeof QueueOverviewResponse>;

export const QueueRetryResponse = z.object({ outcome: z.enum(["put_back", "not_there"]) });

export type ApiAnswer = { readonly status: 200 | 400 | 404; readonly content: unknown };

export async function handleQueueOverview(admin: QueueAdmin): Promise<ApiAnswer> {
  return { status: 200, content: await admin.overview() };
}

export async function handleQueueRetry(admin: QueueAdmin, asked: unknown): Promise<ApiAnswer> {
  const read = QueueRetryRequest.safeParse(asked);
  if (!read.success) return { status: 400, content: { error: z.prettifyError(read.error) } };
  const outcome = await admin.retry(read.data);
  return { status: outcome === "put_back" ? 200 : 404, content: { outcome } };
}
