import { z } from "zod";

const count = z.number().catch(0);

export const AnthropicBatch = z.object({
  id: z.string().min(1),
  processing_status: z.string(),
  created_at: z.string(),
  cancel_initiated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
  request_counts: z.object({ processing: count, succeeded: count, errored: count, canceled: count, expired: count }),
});
export type AnthropicBatch = z.infer<typeof AnthropicBatch>;

export const AnthropicBatchList = z.object({
  data: z.array(AnthropicBatch),
  has_more: z.boolean().catch(false),
});

export const AnthropicLine = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion("type", [
    z.object({ type: z.literal("succeeded"), message: z.unknown() }),
    z.object({ type: z.literal("errored") }),
    z.object({ type: z.literal("canceled") }),
    z.object({ type: z.literal("expired") }),
  ]),
});
export type AnthropicLine = z.infer<typeof AnthropicLine>;
