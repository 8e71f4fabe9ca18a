import * as z from "zod";

/** What the sender of deliveries saw of one turn. */
export const LoadReport = z.object({
  /** Answered with a status of the 200s. */
  taken: z.number(),
  /** With any other, or not at all. */
  failed: z.number(),
  ms: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
});
export type LoadReport = z.infer<typeof LoadReport>;
