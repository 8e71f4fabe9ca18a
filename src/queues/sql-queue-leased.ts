import { type RawBuilder, sql } from "kysely";
import type { Instant } from "#core/model/instant.ts";
import type { ClaimedEntry, EntryRef, QueueName } from "#ports/queue.ts";
import { inLimitLock, isHeld, isNamed, runningCount, type SqlQueueContext } from "#queues/sql-queue-context.ts";
import { notifyWaiters } from "#queues/sql-queue-notify.ts";

/** Never shorter: its holder counts on the time that it was told. */
export async function extendLease(
  context: SqlQueueContext,
  claimed: ClaimedEntry,
  leaseMs: number,
): Promise<"kept" | "lost"> {
  const limit = context.limits[claimed.queue];
  if (limit === undefined) return await extend(context, claimed, { leaseMs, isAllowed: sql`true` });
  return await inLimitLock(context, claimed.queue, (locked) => {
    const running = runningCount(locked, sql`${claimed.queue}`);
    return extend(locked, claimed, {
      leaseMs,
      isAllowed: sql`(running_until > ${locked.now()} or ${running} < ${limit})`,
    });
  });
}

async function extend(
  context: SqlQueueContext,
  claimed: ClaimedEntry,
  { leaseMs, isAllowed }: { readonly leaseMs: number; readonly isAllowed: RawBuilder<unknown> },
): Promise<"kept" | "lost"> {
  const { rows } = await sql`
    update queue_place set running_until = greatest(running_until, ${context.now()} + ${Math.ceil(leaseMs)}::bigint)
    where ${isHeld(context, claimed)} and ${isAllowed} returning 1 as one
  `.execute(context.db);
  return rows.length === 0 ? "lost" : "kept";
}

/** Mostly nothing came meanwhile. If something did, even at this moment, the row stays for it. */
export async function finishEntry(context: SqlQueueContext, claimed: ClaimedEntry): Promise<void> {
  const isGone = await removeRow(context, claimed.queue, sql`${isHeld(context, claimed)} and waiting_at is null`);
  if (!isGone) await endHeld(context, claimed, sql``);
}

/** An entry that came meanwhile keeps its content, not its time and count: a poke must not reset a failing entry. */
export async function retryEntry(context: SqlQueueContext, claimed: ClaimedEntry, at: Instant): Promise<void> {
  await endHeld(
    context,
    claimed,
    sql`, waiting_at = least(waiting_at, ${Math.ceil(at)}::bigint),
      waiting_payload = coalesce(waiting_payload, running_payload),
      waiting_priority = coalesce(waiting_priority, running_priority),
      waiting_order = coalesce(waiting_order, running_order),
      waiting_attempts = running_attempts`,
  );
}

export async function quarantineEntry(context: SqlQueueContext, claimed: ClaimedEntry, why: string): Promise<void> {
  await endHeld(
    context,
    claimed,
    sql`, buried_since = case when waiting_at is null then ${context.now()} end,
      buried_why = case when waiting_at is null then ${JSON.stringify(why)}::text::json end,
      buried_payload = case when waiting_at is null then running_payload end,
      buried_priority = case when waiting_at is null then running_priority end,
      buried_attempts = case when waiting_at is null then running_attempts end`,
  );
}

export async function cancelEntry(context: SqlQueueContext, name: EntryRef): Promise<void> {
  await removeRow(context, name.queue, isNamed(context, name));
}

async function removeRow(context: SqlQueueContext, queue: QueueName, where: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`
    with removed as (delete from queue_place where ${where} returning 1)
    select ${makesRoom(context, queue) ? notifyWaiters() : sql`1`} as ring from removed
  `.execute(context.db);
  return rows.length > 0;
}

/** `change`, with a comma before it, says what else to set. */
async function endHeld(context: SqlQueueContext, claimed: ClaimedEntry, change: RawBuilder<unknown>): Promise<void> {
  await sql`
    with ended as (
      update queue_place set running_until = null, running_token = null, running_payload = null,
        running_priority = null, running_attempts = null, running_order = null, running_takeovers = null ${change}
      where ${isHeld(context, claimed)} returning due_at
    )
    select ${notifyWaiters()} from ended where ${makesRoom(context, claimed.queue) ? sql`true` : sql`due_at <= ${context.now()}`}
  `.execute(context.db);
}

/** In a queue with a limit, each end makes room for another. */
function makesRoom({ limits }: SqlQueueContext, queue: QueueName): boolean {
  return limits[queue] !== undefined;
}
