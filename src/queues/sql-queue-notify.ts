import { type RawBuilder, sql } from "kysely";

/** One for all installations on a database: a needless wake costs one query. */
export const wakeChannel = "drover_queue";

export function notifyWaiters(): RawBuilder<unknown> {
  return sql`pg_notify(${sql.lit(wakeChannel)}, '')`;
}
