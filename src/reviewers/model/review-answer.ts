import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/**
 * One shape for all three turns: providers put it first, so another one would cost the cache. Our code keeps the limits:
 * few providers know them, and an answer that is merely too long should not be lost.
 */
export const ReviewAnswer = z.strictObject({
  summary: z.string(),
  findings: z.array(
    z.strictObject({
      id: z.number(),
      rule: z.string(),
      path: z.string(),
      line: z.number(),
      code: z.string(),
      message: z.string(),
      score: z.number(),
      fix: z.string().nullable(),
    }),
  ),
  verdicts: z.array(
    z.strictObject({ id: z.number(), holds: z.enum(["yes", "no", "unsure"]), score: z.number(), why: z.string() }),
  ),
});
export type ReviewAnswer = Data<typeof ReviewAnswer>;
export type SaidFinding = ReviewAnswer["findings"][number];
export type SaidVerdict = ReviewAnswer["verdicts"][number];
