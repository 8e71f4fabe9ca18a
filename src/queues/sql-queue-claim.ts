import { type RawBuilder, sql } from "kysely";
import type { OriginText } from "#core/fairness/work-origin.ts";
import { instant } from "#core/model/instant.ts";
import { type ClaimedEntry, type Queue, type QueueName, queueNames } from "#ports/queue.ts";
import { readEntryKeyText } from "#queues/entry-row.ts";
import { inLimitLock, type SqlQueueContext } from "#queues/sql-queue-context.ts";
import { dueRows, originRows, roomOf } from "#queues/sql-queue-due.ts";

/** Queues without a limit take one statement. With a limit it takes the queue's lock, and nothing when it is full. */
export async function takeEntry(
  context: SqlQueueContext,
  { queues, leaseMs }: Parameters<Queue["claim"]>[0],
  token: string,
): Promise<ClaimedEntry | null> {
  const lease = { token, leaseMs: Math.ceil(leaseMs) };
  let open = queues;
  for (let round = 0; round < roundsMax && open.length > 0; round++) {
    const found = await claim(context, lease, { queues: open, isLocked: false });
    if (found.kind === "taken") return found.entry;
    if (found.kind === "none") return null;
    if (found.kind === "busy") continue;
    const { queue } = found;
    const inTurn = await inLimitLock(context, queue, (locked) =>
      claim(locked, lease, { queues: [queue], isLocked: true }),
    );
    if (inTurn.kind === "taken") return inTurn.entry;
    open = open.filter((name) => name !== queue);
  }
  return null;
}

/** Once for each queue with a limit, and some more for lost races. */
const roundsMax = 10;

type Claim =
  | { readonly kind: "taken"; readonly entry: ClaimedEntry }
  | { readonly kind: "none" }
  /** Something is due, but other workers hold all candidates at this moment. */
  | { readonly kind: "busy" }
  | { readonly kind: "limited"; readonly queue: QueueName };

interface ClaimRow {
  readonly seen: number;
  readonly go_on_at: Readonly<Partial<Record<QueueName, string>>> | null;
  readonly origin: OriginText;
  readonly chosen: QueueName | null;
  readonly queue: QueueName | null;
  readonly key: string;
  readonly payload: unknown;
  readonly priority: number;
  readonly attempt: number;
  readonly takeovers: number;
  readonly until: number;
}

/**
 * Reads first, then locks row by row: locking all that it reads would hide them from others. Plain joins in place of
 * `lateral` and of the two subselects were planned as scans of all rows when the statistics were old.
 */
async function claim(
  context: SqlQueueContext,
  { token, leaseMs }: { readonly token: string; readonly leaseMs: number },
  { queues, isLocked }: { readonly queues: readonly QueueName[]; readonly isLocked: boolean },
): Promise<Claim> {
  const { instance, now } = context;
  const limited = isLocked ? [] : queues.filter((queue) => context.limits[queue] !== undefined);
  const mayTake = limited.length === 0 ? sql`true` : sql`place.queue not in (${sql.join(limited)})`;
  const { rows } = await sql<ClaimRow>`
    with recursive ${roomOf(context, queues)},
    oldest as materialized (
      select due.* from ${dueRows(context, { rowsMax: candidatesMax, until: now() })}
    ), ${context.turns.isBehind ? candidatesOfOrigins(context) : candidates(context, sql`select * from oldest`)},
    chosen as materialized (
      select free.queue, free.key from candidate cross join lateral (
        select place.queue, place.key from queue_place place
        where place.instance = ${instance} and place.queue = candidate.queue and place.key = candidate.key
          and place.due_priority = candidate.due_priority and place.due_at = candidate.due_at
          and place.due_order = candidate.due_order
        for update skip locked
      ) free limit 1
    ), taken as (
      update queue_place place set
        running_until = ${now()} + ${leaseMs}::bigint,
        running_token = ${token},
        running_payload = coalesce(place.running_payload, place.waiting_payload),
        running_priority = place.due_priority,
        running_attempts = coalesce(place.running_attempts, place.waiting_attempts) + 1,
        running_order = place.due_order,
        running_takeovers = case when place.running_until is null then 0 else coalesce(place.running_takeovers, 0) + 1 end,
        waiting_at = case when place.running_until is not null then place.waiting_at end,
        waiting_payload = case when place.running_until is not null then place.waiting_payload end,
        waiting_priority = case when place.running_until is not null then place.waiting_priority end,
        waiting_attempts = case when place.running_until is not null then place.waiting_attempts end,
        waiting_order = case when place.running_until is not null then place.waiting_order end
      where place.instance = ${instance} and place.queue = (select queue from chosen)
        and place.key = (select key from chosen) and ${mayTake}
      returning place.queue, place.key, place.running_payload as payload, place.running_priority as priority,
        place.running_attempts as attempt, place.running_takeovers as takeovers, place.running_until as until,
        place.origin
    )
    select (select count(*) from oldest) as seen, (select queue from chosen) as chosen, taken.*,
      ${context.turns.isBehind ? goOnAt() : sql`null`} as go_on_at
    from (values (1)) as always (one) left join taken on true
  `.execute(context.db);
  noteTurns(context, rows[0]);
  return readClaim(rows[0], token);
}

/** More than workers claim at the same moment. */
const candidatesMax = 16;

function candidates({ turns }: SqlQueueContext, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const { repositories, origins } = turns.ranks();
  return sql`candidate as materialized (
      select due.* from (${rows}) due
      order by due.due_priority, ${rankIn(repositories, sql`split_part(due.origin, '/', 1)`)},
        ${rankIn(origins, sql`due.origin`)}, due.due_at, due.due_order limit ${sql.lit(candidatesMax)}
    )`;
}

function rankIn(ranks: ReadonlyMap<string, number>, of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((${JSON.stringify(Object.fromEntries(ranks))}::text::jsonb ->> ${of})::integer, 0)`;
}

/** Origins per pass, where more is due than is looked at. */
const originsMax = 100;

/** With thousands due of one origin, others are not among the oldest, so each origin is asked for its own. */
function candidatesOfOrigins(context: SqlQueueContext): RawBuilder<unknown> {
  const priority = sql`(select min(oldest.due_priority) from oldest)`;
  const ofOrigins = sql`select queue, key, due_priority, due_at, due_order, origin from waiting_origin
    where due_at <= ${context.now()}`;
  return sql`${originRows(context, { priority, originsMax })},
    ${candidates(context, sql`select * from oldest union ${ofOrigins}`)}`;
}

function goOnAt(): RawBuilder<unknown> {
  return sql`(select json_object_agg(queue, origin) from waiting_origin where nth = ${sql.lit(originsMax)})`;
}

function noteTurns({ turns }: SqlQueueContext, row: ClaimRow | undefined): void {
  if (row === undefined) return;
  turns.isBehind = row.seen >= candidatesMax;
  turns.goOnAt.clear();
  for (const queue of queueNames) {
    const at = row.go_on_at?.[queue];
    if (at !== undefined) turns.goOnAt.set(queue, at);
  }
  if (row.queue !== null) turns.note(row.origin);
}

function readClaim(row: ClaimRow | undefined, token: string): Claim {
  if (row === undefined || row.seen === 0) return { kind: "none" };
  const { queue, key, payload, priority, origin, attempt, takeovers, until } = row;
  if (queue === null) return row.chosen === null ? { kind: "busy" } : { kind: "limited", queue: row.chosen };
  const work = { queue, key: readEntryKeyText(key), payload, priority, origin };
  return { kind: "taken", entry: { ...work, token, attempt, takeovers, leaseUntil: instant(until) } };
}
