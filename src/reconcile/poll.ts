import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { Parts } from "#ports/parts.ts";
import { type PullRef, pullKeyOf, type RepositoryRef } from "#ports/pull-ref.ts";

type Poking = Pick<Parts, "instance" | "queue" | "clock" | "spans">;

/**
 * The pull gets one entry in the queue; if one waits already, it is due now. The look that follows may be shown the past
 * and see nothing of what it was poked for, so a reminder follows when the forge certainly shows it.
 */
export async function poke(parts: Poking, pull: PullRef): Promise<void> {
  const { instance, queue, clock, spans } = parts;
  const key = pullKeyOf(instance, pull);
  await queue.put({ queue: "tick", key, at: null, whileRunning: "keep", priority: 2, payload: { pull } });
  // One for all pokes of a span: an entry that waits is never postponed, so the next span has one of its own.
  const now = clock.now();
  const span = Math.floor(now / spans.settleMs);
  const reminder = { pull, isReminder: true };
  const at = after(now, spans.settleMs + (spans.settleMs - (now % spans.settleMs)));
  await queue.put({ queue: "tick", key: `${key}#${span}`, at, whileRunning: "skip", priority: 5, payload: reminder });
}

/** As often as approvals are looked for: where that is done anyway, the reminder adds nothing. */
const remindedMs = 30 * secondMs;

export async function remind(parts: Poking, pull: PullRef, now: Instant): Promise<void> {
  const key = pullKeyOf(parts.instance, pull);
  const at = after(now, remindedMs);
  await parts.queue.put({ queue: "tick", key, at, whileRunning: "keep", priority: 2, payload: { pull } });
}

/**
 * For the webhooks that never came: all open pulls on which something has happened since the last time are poked.
 * The poke comes first: a crash in between pokes once more, and never once less.
 */
export async function poll(parts: Poking & Pick<Parts, "store" | "forge">, repository: RepositoryRef): Promise<number> {
  let poked = 0;
  for (const { pull, digest } of await parts.forge.fetchOpenPulls(repository)) {
    const key = pullKeyOf(parts.instance, pull);
    if ((await parts.store.findDigest(key)) === digest) continue;
    await poke(parts, pull);
    await parts.store.saveDigest(key, digest);
    poked++;
  }
  return poked;
}
