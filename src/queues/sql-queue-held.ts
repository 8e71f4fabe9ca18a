import { type RawBuilder, sql } from "kysely";
import type { Instant } from "#core/model/instant.ts";
import type { EntryName, QueueName, TakenEntry } from "#ports/queue.ts";
import { ring } from "#queues/sql-queue-bell.ts";
import { countRunning, type Desk, inLimitLock, isHeld, isNamed } from "#queues/sql-queue-desk.ts";

/** Never shorter than it was: whoever holds it reckons with the time that it was told. */
export async function extendLease(desk: Desk, taken: TakenEntry, leaseMs: number): Promise<"kept" | "lost"> {
  const limit = desk.limits[taken.queue];
  if (limit === undefined) return await extend(desk, taken, { leaseMs, isAllowed: sql`true` });
  return await inLimitLock(desk, taken.queue, (locked) => {
    const running = countRunning(locked, sql`${taken.queue}`);
    return extend(locked, taken, {
      leaseMs,
      isAllowed: sql`(running_until > ${locked.now()} or ${running} < ${limit})`,
    });
  });
}

async function extend(
  desk: Desk,
  taken: TakenEntry,
  { leaseMs, isAllowed }: { readonly leaseMs: number; readonly isAllowed: RawBuilder<unknown> },
): Promise<"kept" | "lost"> {
  const { rows } = await sql`
    update queue_place set running_until = greatest(running_until, ${desk.now()} + ${Math.ceil(leaseMs)}::bigint)
    where ${isHeld(desk, taken)} and ${isAllowed} returning 1 as one
  `.execute(desk.db);
  return rows.length === 0 ? "lost" : "kept";
}

/** Mostly nothing came meanwhile. If something did, be it in this moment, the row stays for it. */
export async function finishEntry(desk: Desk, taken: TakenEntry): Promise<void> {
  const isGone = await removeRow(desk, taken.queue, sql`${isHeld(desk, taken)} and waiting_at is null`);
  if (!isGone) await endHeld(desk, taken, sql``);
}

/** What came meanwhile stays as it is, but for the time and the count: a poke does not make a failing entry new. */
export async function retryEntry(desk: Desk, taken: TakenEntry, at: Instant): Promise<void> {
  await endHeld(
    desk,
    taken,
    sql`, waiting_at = least(waiting_at, ${Math.ceil(at)}::bigint),
      waiting_payload = coalesce(waiting_payload, running_payload),
      waiting_priority = coalesce(waiting_priority, running_priority),
      waiting_order = coalesce(waiting_order, running_order),
      waiting_attempts = running_attempts`,
  );
}

export async function buryEntry(desk: Desk, taken: TakenEntry, why: string): Promise<void> {
  await endHeld(
    desk,
    taken,
    sql`, buried_since = case when waiting_at is null then ${desk.now()} end,
      buried_why = case when waiting_at is null then ${JSON.stringify(why)}::text::json end,
      buried_payload = case when waiting_at is null then running_payload end,
      buried_priority = case when waiting_at is null then running_priority end,
      buried_attempts = case when waiting_at is null then running_attempts end`,
  );
}

export async function cancelEntry(desk: Desk, name: EntryName): Promise<void> {
  await removeRow(desk, name.queue, isNamed(desk, name));
}

async function removeRow(desk: Desk, queue: QueueName, where: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`
    with removed as (delete from queue_place where ${where} returning 1)
    select ${makesRoom(desk, queue) ? ring() : sql`1`} as ring from removed
  `.execute(desk.db);
  return rows.length > 0;
}

/** The running part goes; `change`, with a comma before it, says what becomes of it. */
async function endHeld(desk: Desk, taken: TakenEntry, change: RawBuilder<unknown>): Promise<void> {
  await sql`
    with ended as (
      update queue_place set running_until = null, running_token = null, running_payload = null,
        running_priority = null, running_attempts = null, running_order = null, running_takeovers = null ${change}
      where ${isHeld(desk, taken)} returning due_at
    )
    select ${ring()} from ended where ${makesRoom(desk, taken.queue) ? sql`true` : sql`due_at <= ${desk.now()}`}
  `.execute(desk.db);
}

/** In a queue with a limit, whatever ends makes room for another. */
function makesRoom({ limits }: Desk, queue: QueueName): boolean {
  return limits[queue] !== undefined;
}
