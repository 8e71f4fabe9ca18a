import { sql } from "kysely";
import type { OriginText } from "#core/fairness/work-origin.ts";
import type { QueueEntry } from "#ports/queue.ts";
import { entryRowOf } from "#queues/entry-row.ts";
import type { SqlQueueContext } from "#queues/sql-queue-context.ts";
import { notifyWaiters } from "#queues/sql-queue-notify.ts";

/** One statement for all that treat a running entry alike. */
export async function putEntries(context: SqlQueueContext, entries: readonly QueueEntry[]): Promise<void> {
  const all = entries.map(addedOf);
  const changing = all.length > 1 ? await findChanging(context, all) : all;
  for (const run of runsOf(changing)) await putRun(context, run);
}

interface Added {
  readonly queue: string;
  readonly key: string;
  /** The earliest of the times that were asked for; null where all asked for now. */
  readonly at: number | null;
  readonly is_now: boolean;
  readonly priority: number;
  readonly payload: string;
  readonly origin: OriginText;
  readonly whileRunning: QueueEntry["whileRunning"];
}

function addedOf(entry: QueueEntry): Added {
  const { queue, at, whileRunning } = entry;
  const { key, payload, priority, origin } = entryRowOf(entry);
  // Rows have whole milliseconds: never due before its time.
  const due = { at: at === null ? null : Math.ceil(at), is_now: at === null };
  return { queue, key, ...due, priority, payload, origin, whileRunning };
}

/**
 * Most pokes find a waiting entry, and a search costs the embedded engine far less than a conflict. A subselect for
 * each, so that it is found by its key: a join may read the whole queue.
 */
async function findChanging(context: SqlQueueContext, all: readonly Added[]): Promise<readonly Added[]> {
  const sought = all.map(({ queue, key, at, is_now }, nth) => ({ nth, queue, key, at, is_now }));
  const { rows } = await sql<{ readonly nth: number }>`
    select nth
    from json_to_recordset(${JSON.stringify(sought)}::text::json)
      as one(nth integer, queue text, key text, at bigint, is_now boolean)
    where (
      (select waiting_at from queue_place place
        where place.key = one.key and place.queue = one.queue and place.instance = ${context.instance})
      <= least(one.at, case when one.is_now then (select ${context.now()}) end)
    ) is not true
  `.execute(context.db);
  const found = new Set(rows.map(({ nth }) => nth));
  return all.filter((_added, nth) => found.has(nth));
}

/** A statement cannot change a row twice. The second entry of a key could only bring the first one forward. */
function runsOf(all: readonly Added[]): readonly (readonly Added[])[] {
  const runs: Map<string, Added>[] = [];
  let mode: QueueEntry["whileRunning"] | undefined;
  for (const added of all) {
    if (added.whileRunning !== mode) runs.push(new Map());
    mode = added.whileRunning;
    const name = `${added.queue} ${added.key}`;
    const known = runs.at(-1)?.get(name);
    runs.at(-1)?.set(name, known === undefined ? added : broughtForward(known, added));
  }
  return runs.map((run) => [...run.values()]);
}

function broughtForward(known: Added, { at, is_now }: Added): Added {
  const earliest = known.at === null || at === null ? (known.at ?? at) : Math.min(known.at, at);
  return { ...known, at: earliest, is_now: known.is_now || is_now };
}

/** Locks in the order of keys, so that two writers never deadlock. The longer text of one origin knows the author. */
async function putRun(context: SqlQueueContext, run: readonly Added[]): Promise<void> {
  const mayWait = run[0]?.whileRunning === "keep" ? sql`true` : sql`place.running_until is null`;
  await sql`
    with entry as materialized (
      select nextval('queue_order') as number, one.queue, one.key, one.priority, one.payload::json as payload, one.origin,
        least(one.at, case when one.is_now then ${context.now()} end) as at
      from json_to_recordset(${JSON.stringify(run)}::text::json)
        as one(queue text, key text, at bigint, is_now boolean, priority smallint, payload text, origin text)
    ), placed as (
      insert into queue_place as place (instance, queue, key, origin,
        waiting_at, waiting_payload, waiting_priority, waiting_attempts, waiting_order)
      select ${context.instance}, queue, key, origin, at, payload, priority, 0, number from entry order by queue, key
      on conflict (key, queue, instance) do update set
        origin = greatest(place.origin, excluded.origin),
        waiting_at = excluded.waiting_at,
        waiting_payload = coalesce(place.waiting_payload, excluded.waiting_payload),
        waiting_priority = coalesce(place.waiting_priority, excluded.waiting_priority),
        waiting_attempts = coalesce(place.waiting_attempts, excluded.waiting_attempts),
        waiting_order = coalesce(place.waiting_order, excluded.waiting_order),
        buried_since = null, buried_why = null, buried_payload = null, buried_priority = null, buried_attempts = null
      where place.waiting_at > excluded.waiting_at or (place.waiting_at is null and ${mayWait})
      returning place.due_at
    )
    select ${notifyWaiters()} from placed where due_at <= ${context.now()} limit 1
  `.execute(context.db);
}
