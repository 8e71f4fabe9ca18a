import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import { cadence, nextPoll, reminders } from "#core/plan/next-check.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { openPullsMax, type PullDigest } from "#ports/forge.ts";
import { type PullRef, pullKeyOf, pullKeysStart, type RepositoryRef } from "#ports/pull-ref.ts";
import type { EntryRef, QueueEntry } from "#ports/queue.ts";
import { tickEntry } from "#ports/tick-entry.ts";

export type PokeDependencies = Pick<Dependencies, "instance" | "queue" | "clock" | "durations">;

/** The forge may show the past, without the cause of the poke, so a reminder follows when it certainly shows it. */
export async function poke(parts: PokeDependencies, poked: Poked): Promise<void> {
  for (const entry of pokesOf(parts, poked)) await parts.queue.put(entry);
}

/** Null: the author is unknown, and the pull shares its turns with others like it. */
export interface Poked {
  readonly pull: PullRef;
  readonly author: string | null;
}

export async function pokeAll(parts: PokeDependencies, all: readonly Poked[]): Promise<void> {
  for (let start = 0; start < all.length; start += pokedAtOnceMax) {
    const pokes = all.slice(start, start + pokedAtOnceMax).map((poked) => pokesOf(parts, poked));
    // Grouped by kind: the queue puts such neighbours in with one statement.
    await parts.queue.putAll([...pokes.map(([now]) => now), ...pokes.map(([, reminder]) => reminder)]);
  }
}

/** As many as a statement of a database takes with ease. */
const pokedAtOnceMax = 100;

function pokesOf(
  { instance, clock, durations }: Omit<PokeDependencies, "queue">,
  { pull, author }: Poked,
): readonly [now: QueueEntry, reminder: QueueEntry] {
  const tick = tickEntry(instance, pull, { origin: originText({ repository: pull.repository.id, author }) });
  const { at, span } = reminders.next(clock.now(), durations.settleMs);
  // As urgent as the tick that it leads to: at a lower rank it would wait for the ticks of all others.
  const payload = { pull, isReminder: true };
  return [tick, { ...tick, key: `${tick.key}#${span}`, at, whileRunning: "skip", payload }];
}

export async function putReminder(
  parts: PokeDependencies,
  { pull, origin }: { readonly pull: PullRef; readonly origin: OriginText },
  now: Instant,
): Promise<void> {
  await parts.queue.put(tickEntry(parts.instance, pull, { at: reminders.tickAt(now), origin }));
}

/** Makes up for lost webhooks. The poke comes before the stored digest: a crash repeats it but loses none. */
export async function poll(dependencies: Polling, repository: RepositoryRef): Promise<LookedOver> {
  const open = await dependencies.forge.fetchOpenPulls(repository);
  let poked = 0;
  for (let start = 0; start < open.length; start += pokedAtOnceMax) {
    poked += await pokeChanged(dependencies, open.slice(start, start + pokedAtOnceMax));
  }
  if (open.length < openPullsMax) await pokeGone(dependencies, repository, open);
  return { open: open.length, poked };
}

/** The list shows only open pulls, and unfinished work on closed ones would stay for ever. Each is poked once. */
async function pokeGone(dependencies: Polling, repository: RepositoryRef, open: readonly PullDigest[]): Promise<void> {
  const numbers = new Set(open.map(({ pull }) => pull.number));
  const known = await dependencies.store.listDigested(pullKeysStart(dependencies.instance, repository));
  const gone = known.filter((number) => !numbers.has(number)).sort((left, right) => right - left);
  const some = gone.slice(0, goneAtOnceMax).map((number) => ({ repository, number }));
  await pokeAll(dependencies, some.map(byNobody));
  await dependencies.store.forgetDigests(some.map((pull) => pullKeyOf(dependencies.instance, pull)));
}

/** The newest first. A wrong list, or a long history of closed pulls, must not cost an hour's budget. */
const goneAtOnceMax = 20;

/** A list of pulls does not tell who opened them. */
function byNobody(pull: PullRef): Poked {
  return { pull, author: null };
}

interface LookedOver {
  readonly open: number;
  readonly poked: number;
}

async function pokeChanged(dependencies: Polling, some: readonly PullDigest[]): Promise<number> {
  const keyed = some.map((one) => ({ ...one, key: pullKeyOf(dependencies.instance, one.pull) }));
  const known = await dependencies.store.findDigests(keyed.map(({ key }) => key));
  const changed = keyed.filter(({ key, digest }) => known.get(key) !== digest);
  if (changed.length === 0) return 0;
  const poked = changed.map(({ pull }) => byNobody(pull));
  await pokeAll(dependencies, poked);
  await dependencies.store.saveDigests(new Map(changed.map(({ key, digest }) => [key, digest])));
  return changed.length;
}

type Polling = PokeDependencies & Pick<Dependencies, "store" | "forge">;

interface PollAgain {
  readonly repository: string;
  readonly everyMs: number;
  /** How late a reaction on an open pull may be noticed: only polls find it. */
  readonly reactionMsMax: number;
}

export async function pollRepository(
  dependencies: Polling,
  { repository, everyMs, reactionMsMax }: PollAgain,
): Promise<{ readonly at: Instant; readonly everyMs: number }> {
  const found = await dependencies.forge.fetchRepository(repository);
  const { open, poked } = await poll(dependencies, found);
  // Without an open pull there is nothing to approve.
  const msMax = open > 0 ? reactionMsMax : cadence.msMax;
  return nextPoll({
    everyMs,
    poked,
    budget: dependencies.forge.findRateLimit(found),
    now: dependencies.clock.now(),
    msMax,
  });
}

/** One entry for each repository, so that one worker of all machines polls it. */
export async function schedulePoll(
  { instance, queue }: Pick<Dependencies, "instance" | "queue">,
  repository: string,
  next: { readonly at: Instant | null; readonly everyMs: number } = { at: null, everyMs: cadence.msMin },
): Promise<void> {
  const payload = { repository, everyMs: next.everyMs };
  await queue.put({ ...pollName(instance, repository), at: next.at, whileRunning: "keep", priority: 4, payload });
}

/** Without open pulls polls are rare, too rare to notice a reaction on a new pull in time. */
export async function pollSoon(
  dependencies: Polling,
  pull: PullRef,
  { reactionMsMax, onQueue }: { readonly reactionMsMax: number; readonly onQueue: (at: Instant) => Instant },
): Promise<void> {
  const key = pullKeyOf(dependencies.instance, pull);
  const known = await dependencies.store.findDigests([key]);
  if (known.has(key)) return;
  const { repository } = pull;
  const budget = dependencies.forge.findRateLimit(repository);
  const next = nextPoll({
    everyMs: cadence.msMin,
    poked: 1,
    budget,
    now: dependencies.clock.now(),
    msMax: reactionMsMax,
  });
  await schedulePoll(dependencies, repository.name, { ...next, at: onQueue(next.at) });
}

/** Only where it is missing: a put makes an entry that waits for a new budget due at once. */
export async function ensurePollScheduled(
  dependencies: Pick<Dependencies, "instance" | "queue">,
  repository: string,
): Promise<void> {
  const found = await dependencies.queue.find(pollName(dependencies.instance, repository));
  if (found === undefined) await schedulePoll(dependencies, repository);
}

function pollName(instance: string, repository: string): EntryRef {
  return { queue: "poll", key: `${encodeURIComponent(instance)}/${encodeURIComponent(repository)}` };
}
