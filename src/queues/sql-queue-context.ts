import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Instant } from "#core/model/instant.ts";
import type { Tables } from "#database/tables.ts";
import type { ClaimedEntry, EntryRef, QueueLimits, QueueName } from "#ports/queue.ts";
import { entryKeyText } from "#queues/entry-row.ts";
import type { QueueTurns } from "#queues/queue-turns.ts";

export interface SqlQueueContext {
  readonly db: Kysely<Tables>;
  readonly instance: string;
  readonly limits: QueueLimits;
  readonly turns: QueueTurns;
  readonly now: () => RawBuilder<number>;
}

/** The database's clock, since those of the replicas differ. */
export function databaseNow(): RawBuilder<number> {
  return sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;
}

export function fixedNow(now: Instant): RawBuilder<number> {
  return sql<number>`${now}::bigint`;
}

export function isNamed({ instance }: SqlQueueContext, { queue, key }: EntryRef): RawBuilder<boolean> {
  return sql<boolean>`instance = ${instance} and queue = ${queue} and key = ${entryKeyText(key)}`;
}

/** An expired lease is held until another worker takes it. */
export function isHeld(context: SqlQueueContext, claimed: ClaimedEntry): RawBuilder<boolean> {
  return sql<boolean>`${isNamed(context, claimed)} and running_token = ${claimed.token}`;
}

export function runningCount(context: SqlQueueContext, queue: RawBuilder<string>): RawBuilder<number> {
  return sql<number>`(select count(*) from queue_place running
    where running.instance = ${context.instance} and running.queue = ${queue} and running.running_until > ${context.now()})`;
}

/**
 * Without the lock, two transactions would each miss the entry that the other adds. The lock has a statement of its
 * own, because a statement sees what was there when it began.
 */
export async function inLimitLock<Answer>(
  context: SqlQueueContext,
  queue: QueueName,
  work: (locked: SqlQueueContext) => Promise<Answer>,
): Promise<Answer> {
  return await context.db.transaction().execute(async (db) => {
    const name = JSON.stringify([context.instance, queue]);
    await sql`select pg_advisory_xact_lock(${sql.lit(lockGroup)}, hashtext(${name}))`.execute(db);
    return await work({ ...context, db });
  });
}

/** A number that no other program on the database is likely to lock. */
const lockGroup = 4_170_003;
