import { sql } from "kysely";
import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import type { EntryRef, Queue, QueueLimits } from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";
import { createQueueTurns, type QueueTurns } from "#queues/queue-turns.ts";
import { takeEntry } from "#queues/sql-queue-claim.ts";
import { databaseNow, fixedNow, isNamed, type SqlQueueContext } from "#queues/sql-queue-context.ts";
import { findNextDue } from "#queues/sql-queue-due.ts";
import { cancelEntry, extendLease, finishEntry, quarantineEntry, retryEntry } from "#queues/sql-queue-leased.ts";
import { wakeChannel } from "#queues/sql-queue-notify.ts";
import { putEntries } from "#queues/sql-queue-put.ts";
import { listQuarantined, restoreEntry } from "#queues/sql-queue-quarantine.ts";

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
