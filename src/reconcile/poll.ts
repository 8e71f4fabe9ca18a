import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { PullDigest } from "#ports/forge.ts";
import type { Parts } from "#ports/parts.ts";
import { type PullRef, pullKeyOf, type RepositoryRef } from "#ports/pull-ref.ts";
import type { QueueEntry } from "#ports/queue.ts";
import { cadence, nextPoll } from "#reconcile/poll-cadence.ts";

export type Poking = Pick<Parts, "instance" | "queue" | "clock" | "spans">;

/**
 * The pull gets one entry in the queue; if one waits already, it is due now. The look that follows may be shown the past
 * and see nothing of what it was poked for, so a reminder follows when the forge certainly shows it.
 */
export async function poke(parts: Poking, pull: PullRef): Promise<void> {
  for (const entry of pokesOf(parts, pull)) await parts.queue.put(entry);
}

/** As `poke` for each of them, at the price of few. */
export async function pokeAll(parts: Poking, pulls: readonly PullRef[]): Promise<void> {
  for (let start = 0; start < pulls.length; start += pokedAtOnceMax) {
    const pokes = pulls.slice(start, start + pokedAtOnceMax).map((pull) => pokesOf(parts, pull));
    // Those of a kind stand together: the queue puts such neighbours in with one statement.
    await parts.queue.putAll([...pokes.map(([now]) => now), ...pokes.map(([, reminder]) => reminder)]);
  }
}

/** As many as a statement of a database takes with ease. */
const pokedAtOnceMax = 100;

function pokesOf(
  { instance, clock, spans }: Omit<Poking, "queue">,
  pull: PullRef,
): readonly [now: QueueEntry, reminder: QueueEntry] {
  const key = pullKeyOf(instance, pull);
  // One for all pokes of a span: an entry that waits is never postponed, so the next span has one of its own.
  const now = clock.now();
  const span = Math.floor(now / spans.settleMs);
  const reminder = { pull, isReminder: true };
  const at = after(now, spans.settleMs + (spans.settleMs - (now % spans.settleMs)));
  return [
    { queue: "tick", key, at: null, whileRunning: "keep", priority: 2, payload: { pull } },
    { queue: "tick", key: `${key}#${span}`, at, whileRunning: "skip", priority: 5, payload: reminder },
  ];
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
export async function poll(parts: Polling, repository: RepositoryRef): Promise<LookedOver> {
  const open = await parts.forge.fetchOpenPulls(repository);
  let poked = 0;
  for (let start = 0; start < open.length; start += pokedAtOnceMax) {
    poked += await pokeChanged(parts, open.slice(start, start + pokedAtOnceMax));
  }
  return { open: open.length, poked };
}

interface LookedOver {
  readonly open: number;
  readonly poked: number;
}

async function pokeChanged(parts: Polling, some: readonly PullDigest[]): Promise<number> {
  const keyed = some.map((one) => ({ ...one, key: pullKeyOf(parts.instance, one.pull) }));
  const known = await parts.store.findDigests(keyed.map(({ key }) => key));
  const changed = keyed.filter(({ key, digest }) => known.get(key) !== digest);
  if (changed.length === 0) return 0;
  const pulls = changed.map(({ pull }) => pull);
  await pokeAll(parts, pulls);
  await parts.store.saveDigests(new Map(changed.map(({ key, digest }) => [key, digest])));
  return changed.length;
}

type Polling = Poking & Pick<Parts, "store" | "forge">;

interface PollAgain {
  readonly repository: string;
  readonly everyMs: number;
  /** How late a reaction on an open pull may be noticed: nothing but these polls tells of it. */
  readonly reactionMsMax: number;
}

/** Polls a repository by its name, and says when to do so again. */
export async function pollAgain(
  parts: Polling,
  { repository, everyMs, reactionMsMax }: PollAgain,
): Promise<{ readonly at: Instant; readonly everyMs: number }> {
  const { open, poked } = await poll(parts, await parts.forge.fetchRepository(repository));
  // Nobody can approve where nothing is open.
  const msMax = open > 0 ? reactionMsMax : cadence.msMax;
  return nextPoll({ everyMs, poked, budget: parts.forge.findBudget(), now: parts.clock.now(), msMax });
}

/** One entry for each repository, so that of all workers on all machines one polls it. */
export async function watch(
  { instance, queue }: Pick<Parts, "instance" | "queue">,
  repository: string,
  next: { readonly at: Instant | null; readonly everyMs: number } = { at: null, everyMs: cadence.msMin },
): Promise<void> {
  const key = `${encodeURIComponent(instance)}/${encodeURIComponent(repository)}`;
  const payload = { repository, everyMs: next.everyMs };
  await queue.put({ queue: "poll", key, at: next.at, whileRunning: "keep", priority: 4, payload });
}
