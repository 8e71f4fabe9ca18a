import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { HeadSha, InstanceId, RepositoryId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";

const count = z.number().int().nonnegative();

/** Holds no text of anybody. */
export const Spend = z.strictObject({
  /** The same call written down twice is one. */
  id: z.string().min(1),
  /** This call lowers what is reserved for that work. */
  work: z.string().min(1),
  instance: InstanceId,
  repository: z.strictObject({ id: RepositoryId, name: z.string().min(1) }),
  pull: z.number().int().positive(),
  head: HeadSha.nullable(),
  /** Null for what is no review. */
  role: z.string().min(1).nullable(),
  purpose: z.string().min(1),
  model: z.string().min(1),
  tokensIn: count,
  tokensCached: count,
  tokensOut: count,
  costMicroUsd: count,
  /** False: the cost is estimated, or 0 if it is unknown. */
  isPriced: z.boolean(),
  ms: count,
  outcome: z.string().min(1),
  delivery: z.enum(["now", "batch"]),
  at: Instant,
});
export type Spend = Data<typeof Spend>;
