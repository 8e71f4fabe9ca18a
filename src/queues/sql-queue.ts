import { sql } from "kysely";
import type { InstanceId } from "#core/model/ids.ts";
import { type Instant, instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import {
  buriedListMax,
  type EntryRef,
  type QuarantinedEntry,
  type Queue,
  type QueueLimits,
  type QueueName,
} from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";
import { readEntryKeyText } from "#queues/entry-row.ts";
import { createQueueTurns, type QueueTurns } from "#queues/queue-turns.ts";
import { takeEntry } from "#queues/sql-queue-claim.ts";
import { databaseNow, fixedNow, isNamed, type SqlQueueContext } from "#queues/sql-queue-context.ts";
import { findNextDue } from "#queues/sql-queue-due.ts";
import { cancelEntry, extendLease, finishEntry, quarantineEntry, retryEntry } from "#queues/sql-queue-leased.ts";
import { notifyWaiters, wakeChannel } from "#queues/sql-queue-notify.ts";
import { putEntries } from "#queues/sql-queue-put.ts";

interface SqlQueueParts {
  readonly database: Pick<Database, "db" | "listen">;
  readonly instance: InstanceId;
  readonly random: Random;
  /** The same in every process that works for this installation. */
  readonly limits?: QueueLimits;
  /** For tests with several queues in one process. */
  readonly turns?: QueueTurns;
  /** For tests. All who share the queue must use the same clock. */
  readonly now?: () => Instant;
}

/** One row per key. Almost every call is one statement on one row, so that the row's own lock is enough. */
export function createSqlQueue(parts: SqlQueueParts): Queue {
  const { database, instance, random, limits = {}, turns = createQueueTurns(), now } = parts;
  const told = now === undefined ? databaseNow : () => fixedNow(now());
  const context: SqlQueueContext = { db: database.db, instance, limits, turns, now: told };
  return {
    put: async (entry) => putEntries(context, [entry]),
    putAll: async (entries) => putEntries(context, entries),
    claim: async (request) => takeEntry(context, request, random.token()),
    extend: async (claimed, leaseMs) => extendLease(context, claimed, leaseMs),
    finish: async (claimed) => finishEntry(context, claimed),
    retry: async (claimed, at) => retryEntry(context, claimed, at),
    quarantine: async (claimed, why) => quarantineEntry(context, claimed, why),
    listQuarantined: async () => listQuarantined(context),
    restore: async (name) => restoreEntry(context, name),
    cancel: async (name) => cancelEntry(context, name),
    find: async (name) => findEntry(context, name),
    nextDue: async (queues) => findNextDue(context, queues),
    onWake: async (listener) => database.listen(wakeChannel, () => listener()),
  };
}

async function findEntry(context: SqlQueueContext, name: EntryRef): Promise<"waiting" | "running" | undefined> {
  const { rows } = await sql<{ readonly is_running: boolean }>`
    select running_until is not null as is_running from queue_place where ${isNamed(context, name)} and due_at is not null
  `.execute(context.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return row.is_running ? "running" : "waiting";
}

interface BuriedRow {
  readonly queue: QueueName;
  readonly key: string;
  readonly payload: unknown;
  readonly priority: number;
  readonly attempts: number;
  readonly why: string;
  readonly since: number;
}

async function listQuarantined({ db, instance }: SqlQueueContext): Promise<readonly QuarantinedEntry[]> {
  const { rows } = await sql<BuriedRow>`
    select queue, key, buried_payload as payload, buried_priority as priority, buried_attempts as attempts,
      buried_why as why, buried_since as since
    from queue_place where instance = ${instance} and buried_since is not null
    order by buried_since limit ${sql.lit(buriedListMax)}
  `.execute(db);
  return rows.map(({ key, since, ...row }) => ({ ...row, key: readEntryKeyText(key), since: instant(since) }));
}

async function restoreEntry(context: SqlQueueContext, name: EntryRef): Promise<"put_back" | "not_there"> {
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
