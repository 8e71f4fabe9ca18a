import { sql } from "kysely";
import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import type { EntryName, Queue, QueueLimits } from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";
import { createQueueTurns, type QueueTurns } from "#queues/queue-turns.ts";
import { wakeChannel } from "#queues/sql-queue-bell.ts";
import { listBuried, unburyEntry } from "#queues/sql-queue-buried.ts";
import { type Desk, databaseNow, isNamed, toldNow } from "#queues/sql-queue-desk.ts";
import { findNextDue } from "#queues/sql-queue-due.ts";
import { buryEntry, cancelEntry, extendLease, finishEntry, retryEntry } from "#queues/sql-queue-held.ts";
import { putEntries } from "#queues/sql-queue-put.ts";
import { takeEntry } from "#queues/sql-queue-take.ts";

interface SqlQueueParts {
  readonly database: Pick<Database, "db" | "listen">;
  /** Entries of other installations on the same database are not seen. */
  readonly instance: InstanceId;
  readonly random: Random;
  /** The same in every process that works for this installation. */
  readonly limits?: QueueLimits;
  /** For tests, where several of them are one process. */
  readonly turns?: QueueTurns;
  /** Instead of the database's clock, for tests. All who share the queue must tell the same time. */
  readonly now?: () => Instant;
}

/**
 * The durable queue, on a table of its own: each key has one row with a part for what waits, one for what runs and one
 * for what is buried. Almost every call is one statement on one row, so that the row's own lock is all that is needed.
 */
export function createSqlQueue(parts: SqlQueueParts): Queue {
  const { database, instance, random, limits = {}, turns = createQueueTurns(), now } = parts;
  const told = now === undefined ? databaseNow : () => toldNow(now());
  const desk: Desk = { db: database.db, instance, limits, turns, now: told };
  return {
    put: async (entry) => putEntries(desk, [entry]),
    putAll: async (entries) => putEntries(desk, entries),
    take: async (request) => takeEntry(desk, request, random.token()),
    extend: async (taken, leaseMs) => extendLease(desk, taken, leaseMs),
    finish: async (taken) => finishEntry(desk, taken),
    retry: async (taken, at) => retryEntry(desk, taken, at),
    bury: async (taken, why) => buryEntry(desk, taken, why),
    listBuried: async () => listBuried(desk),
    unbury: async (name) => unburyEntry(desk, name),
    cancel: async (name) => cancelEntry(desk, name),
    find: async (name) => findEntry(desk, name),
    nextDue: async (queues) => findNextDue(desk, queues),
    onWake: async (listener) => database.listen(wakeChannel, () => listener()),
  };
}

async function findEntry(desk: Desk, name: EntryName): Promise<"waiting" | "running" | undefined> {
  const { rows } = await sql<{ readonly is_running: boolean }>`
    select running_until is not null as is_running from queue_place where ${isNamed(desk, name)} and due_at is not null
  `.execute(desk.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return row.is_running ? "running" : "waiting";
}
