import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Instant } from "#core/model/instant.ts";
import type { Tables } from "#database/tables.ts";
import type { EntryName, QueueLimits, QueueName, TakenEntry } from "#ports/queue.ts";
import { keyText } from "#queues/entry-row.ts";
import type { QueueTurns } from "#queues/queue-turns.ts";

/** What every statement of the queue is written on. */
export interface Desk {
  readonly db: Kysely<Tables>;
  readonly instance: string;
  readonly limits: QueueLimits;
  /** Whom this process has served last, and how far it has gone through those who wait. */
  readonly turns: QueueTurns;
  /** The time of the statement in which it stands: one and the same in all of it. */
  readonly now: () => RawBuilder<number>;
}

/** The database's clock, since those of the replicas differ. */
export function databaseNow(): RawBuilder<number> {
  return sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;
}

/** A time that somebody else tells: for tests. */
export function toldNow(now: Instant): RawBuilder<number> {
  return sql<number>`${now}::bigint`;
}

/** The row under this name. */
export function isNamed({ instance }: Desk, { queue, key }: EntryName): RawBuilder<boolean> {
  return sql<boolean>`instance = ${instance} and queue = ${queue} and key = ${keyText(key)}`;
}

/** The row whose running entry is held under this token; a lease that ran out is held until somebody else takes it. */
export function isHeld(desk: Desk, taken: TakenEntry): RawBuilder<boolean> {
  return sql<boolean>`${isNamed(desk, taken)} and running_token = ${taken.token}`;
}

/** How many of a queue are running, for comparison with its limit. */
export function countRunning(desk: Desk, queue: RawBuilder<string>): RawBuilder<number> {
  return sql<number>`(select count(*) from queue_place running
    where running.instance = ${desk.instance} and running.queue = ${queue} and running.running_until > ${desk.now()})`;
}

/**
 * Whoever counts what is running and adds to it has the queue's lock: of two that count at once, each would leave out
 * what the other adds. The lock comes in a statement of its own, because a statement sees what was there when it began.
 */
export async function inLimitLock<Answer>(
  desk: Desk,
  queue: QueueName,
  work: (locked: Desk) => Promise<Answer>,
): Promise<Answer> {
  return await desk.db.transaction().execute(async (db) => {
    const name = JSON.stringify([desk.instance, queue]);
    await sql`select pg_advisory_xact_lock(${sql.lit(lockGroup)}, hashtext(${name}))`.execute(db);
    return await work({ ...desk, db });
  });
}

/** Any number that no other program on the database is likely to use for the same. */
const lockGroup = 4_170_003;
