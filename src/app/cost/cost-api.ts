import { z } from "zod";
import { CostSort } from "#core/budget/cost-overview.ts";
import { Instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import { readCost } from "#store/read-cost.ts";

export const costPath = "/api/cost";

export const CostRequest = z.strictObject({
  by: CostSort,
  since: Instant,
  repository: z.string().min(1).nullable(),
  pull: z.number().int().positive().nullable(),
});
export type CostRequest = z.output<typeof CostRequest>;

export async function handleCostRequest(
  database: Pick<Database, "db">,
  asked: unknown,
): Promise<{ readonly status: 200 | 400; readonly content: unknown }> {
  const read = CostRequest.safeParse(asked);
  if (!read.success) return { status: 400, content: { error: z.prettifyError(read.error) } };
  return { status: 200, content: await readCost(database.db, read.data) };
}
