import { z } from "zod";
import type { QueueDesk } from "#app/queue/queue-desk.ts";
import { InstanceId } from "#core/model/ids.ts";
import { queueNames } from "#ports/queue.ts";

/** The same for the server, which answers, and the command line, which asks. */
export const queuePaths = { overview: "/api/queue", retry: "/api/queue/retry" } as const;

export const RetryAsked = z.strictObject({ instance: InstanceId, queue: z.enum(queueNames), key: z.string().min(1) });

export const OverviewTold = z.object({
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
export type OverviewTold = z.infer<typeof OverviewTold>;

export const RetryTold = z.object({ outcome: z.enum(["put_back", "not_there"]) });

export type ApiAnswer = { readonly status: 200 | 400 | 404; readonly content: unknown };

export async function tellOverview(desk: QueueDesk): Promise<ApiAnswer> {
  return { status: 200, content: await desk.overview() };
}

export async function tellRetry(desk: QueueDesk, asked: unknown): Promise<ApiAnswer> {
  const read = RetryAsked.safeParse(asked);
  if (!read.success) return { status: 400, content: { error: z.prettifyError(read.error) } };
  const outcome = await desk.retry(read.data);
  return { status: outcome === "put_back" ? 200 : 404, content: { outcome } };
}
