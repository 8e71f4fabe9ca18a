import { z } from "zod";

export const OpenaiFile = z.object({ id: z.string().min(1) });

const fileId = z.string().min(1).nullish();

export const OpenaiBatch = z.object({
  id: z.string().min(1),
  status: z.string(),
  /** Seconds. */
  created_at: z.number(),
  completed_at: z.number().nullish(),
  input_file_id: fileId,
  output_file_id: fileId,
  error_file_id: fileId,
  request_counts: z.object({ completed: z.number() }).nullish().catch(null),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  errors: z
    .object({ data: z.array(z.object({ message: z.string().nullish() })).nullish() })
    .nullish()
    .catch(null),
});
export type OpenaiBatch = z.infer<typeof OpenaiBatch>;

export const OpenaiBatchList = z.object({
  data: z.array(OpenaiBatch),
  has_more: z.boolean().catch(false),
});

/** A line of the output or of the errors. */
export const OpenaiLine = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number().int().min(100).max(599), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish() }).nullish().catch(null),
});
export type OpenaiLine = z.infer<typeof OpenaiLine>;
