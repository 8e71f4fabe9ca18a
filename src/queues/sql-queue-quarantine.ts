import { sql } from "kysely";
import { instant } from "#core/model/instant.ts";
import { buriedListMax, type EntryRef, type QuarantinedEntry, type QueueName } from "#ports/queue.ts";
import { readEntryKeyText } from "#queues/entry-row.ts";
import { isNamed, type SqlQueueContext } from "#queues/sql-queue-context.ts";
import { notifyWaiters } from "#queues/sql-queue-notify.ts";

interface BuriedRow {
  readonly queue: QueueName;
  readonly key: string;
  readonly payload: unknown;
  readonly priority: number;
  readonly attempts: number;
  readonly why: string;
  readonly since: number;
}

export async function listQuarantined({ db, instance }: SqlQueueContext): Promise<readonly QuarantinedEntry[]> {
  const { rows } = await sql<BuriedRow>`
    select queue, key, buried_payload as payload, buried_priority as priority, buried_attempts as attempts,
      buried_why as why, buried_since as since
    from queue_place where instance = ${instance} and buried_since is not null
    order by buried_since limit ${sql.lit(buriedListMax)}
  `.execute(db);
  return rows.map(({ key, since, ...row }) => ({ ...row, key: readEntryKeyText(key), since: instant(since) }));
}

export async function restoreEntry(context: SqlQueueContext, name: EntryRef): Promise<"put_back" | "not_there"> {
  const { rows } = await sql`
    with risen as (
      update queue_place set
        waiting_at = ${context.now()}, waiting_payload = buried_payload, waiting_priority = buried_priority,
        waiting_attempts = 0, waiting_order = nextval('queue_order'),
        buried_since = null, buried_why = null, buried_payload = null, buried_priority = null, buried_attempts = null
      where ${isNamed(context, name)} and buried_since is not null returning 1
    )
    select ${notifyWaiters()} from risen
  `.execute(context.db);
  return rows.length === 0 ? "not_there" : "put_back";
}
