import { type RawBuilder, sql } from "kysely";
import { type Instant, instant } from "#core/model/instant.ts";
import { priorityMax, type QueueName } from "#ports/queue.ts";
import { runningCount, type SqlQueueContext } from "#queues/sql-queue-context.ts";

/** Which queues have room. For a `with`, so that it is computed once. */
export function roomOf(context: SqlQueueContext, queues: readonly QueueName[]): RawBuilder<unknown> {
  const rows = queues.map((queue) => {
    const limit = context.limits[queue];
    const hasRoom = limit === undefined ? sql`true` : sql`${runningCount(context, sql`${queue}`)} < ${limit}`;
    return sql`(${queue}::text, ${hasRoom})`;
  });
  return sql`room (queue, has_room) as materialized (values ${sql.join(rows)})`;
}

/** The index has this order, so the cost does not depend on how many entries are due or not due. */
export function dueRows(
  { instance }: SqlQueueContext,
  { rowsMax, until }: { readonly rowsMax: number; readonly until: RawBuilder<number> | null },
): RawBuilder<unknown> {
  return sql`room cross join generate_series(1, ${sql.lit(priorityMax)}) as level (priority) cross join lateral (
      select place.queue, place.key, place.due_priority, place.due_at, place.due_order, place.origin
      from queue_place place
      where place.instance = ${instance} and place.queue = room.queue and place.due_priority = level.priority
        and ${until === null ? sql`place.due_at is not null` : sql`place.due_at <= ${until}`}
      order by place.due_at, place.due_order limit ${sql.lit(rowsMax)}
    ) due where room.has_room`;
}

/** The first row of each origin. For a `with recursive`. */
export function originRows(
  { instance, turns }: SqlQueueContext,
  { priority, originsMax }: { readonly priority: RawBuilder<unknown>; readonly originsMax: number },
): RawBuilder<unknown> {
  const goOnAt = JSON.stringify(Object.fromEntries(turns.goOnAt));
  const lane = sql`(${instance} || '/' || room.queue || '/' || front.priority::text)`;
  return sql`front (priority) as materialized (select ${priority}),
    waiting_origin as (
      select first.*, ${lane} as lane, 1 as nth from room cross join front
      cross join lateral (${firstOf(lane, sql`>= coalesce((${goOnAt}::text::jsonb ->> room.queue), '')`)}) first
      where room.has_room
      union all
      select next.*, waiting_origin.lane, waiting_origin.nth + 1 from waiting_origin
      cross join lateral (${firstOf(sql`waiting_origin.lane`, sql`> waiting_origin.origin`)}) next
      where waiting_origin.nth < ${sql.lit(originsMax)}
    )`;
}

/** The index `queue_origins` has this order. */
function firstOf(lane: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select place.queue, place.key, place.due_priority, place.due_at, place.due_order, place.origin
    from queue_place place
    where ((place.instance || '/' || place.queue || '/' || place.due_priority::text) collate "C") = ${lane}
      and place.due_at is not null and place.origin ${from}
    order by place.origin, place.due_at, place.due_order limit 1`;
}

/** A full queue has room again when the first of its leases expires, at the latest. */
export async function findNextDue(
  context: SqlQueueContext,
  queues: readonly QueueName[],
): Promise<Instant | undefined> {
  if (queues.length === 0) return undefined;
  const isLimited = queues.some((queue) => context.limits[queue] !== undefined);
  const roomAt = sql`(select min(running_until) from queue_place
    where instance = ${context.instance} and running_until > ${context.now()}
      and queue in (select queue from room where not has_room))`;
  const { rows } = await sql<{ readonly at: number | null }>`
    with ${roomOf(context, queues)}
    select least((select min(due.due_at) from ${dueRows(context, { rowsMax: 1, until: null })}),
      ${isLimited ? roomAt : sql`null`}) as at
  `.execute(context.db);
  const at = rows[0]?.at ?? null;
  return at === null ? undefined : instant(at);
}
