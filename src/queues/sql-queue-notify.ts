import { type RawBuilder, sql } from "kysely";

/** One for all installations on a database: being woken for another's sake costs one look. */
export const wakeChannel = "drover_queue";

/** Wakes the waiting workers when the transaction is committed; several in one transaction are one. */
export function notifyWaiters(): RawBuilder<unknown> {
  return sql`pg_notify(${sql.lit(wakeChannel)}, '')`;
}
