import { type Kysely, sql } from "kysely";
import { instant } from "#core/model/instant.ts";
import type { Tables } from "#database/tables.ts";
import { buriedListMax, type QuarantinedEntry } from "#ports/queue.ts";
import { readEntryKeyText } from "#queues/entry-row.ts";
import { databaseNow } from "#queues/sql-queue-context.ts";

export interface QueueOverview {
  readonly queues: readonly QueueCounts[];
  readonly buried: readonly (QuarantinedEntry & { readonly instance: string })[];
}

export interface QueueCounts {
  readonly instance: string;
  readonly queue: string;
  readonly waiting: number;
  readonly due: number;
  readonly running: number;
  readonly buried: number;
}

export async function readQueueCounts(db: Kysely<Tables>): Promise<readonly QueueCounts[]> {
  const { rows } = await sql<QueueCounts>`
    select instance, queue,
      count(waiting_at) as waiting,
      count(*) filter (where running_until is null and waiting_at <= ${databaseNow()}) as due,
      count(running_until) as running,
      count(buried_since) as buried
    from queue_place group by instance, queue order by instance, queue`.execute(db);
  return rows;
}

export async function readQueueOverview(db: Kysely<Tables>): Promise<QueueOverview> {
  const queues = await readQueueCounts(db);
  const buried = await sql<QuarantinedEntry & { readonly instance: string }>`
    select instance, queue, key, buried_payload as payload, buried_priority as priority, buried_attempts as attempts,
      buried_why as why, buried_since as since
    from queue_place where buried_since is not null
    order by buried_since limit ${sql.lit(buriedListMax)}`.execute(db);
  return {
    queues,
    buried: buried.rows.map(({ key, since, ...row }) => ({
      ...row,
      key: readEntryKeyText(key),
      since: instant(since),
    })),
  };
}
