import { ranksOf, type ServedOrigins, type ServedRanks, withServed } from "#core/fairness/fair-order.ts";
import { after, earliest, type Instant } from "#core/model/instant.ts";
import { type Clock } from "#ports/clock.ts";
import {
  buriedListMax,
  type ClaimedEntry,
  type EntryRef,
  type QuarantinedEntry,
  type Queue,
  type QueueLimits,
  type QueueName,
  type WakeSubscription,
} from "#ports/queue.ts";
import { type Random } from "#ports/random.ts";
import { entryRowOf } from "#queues/entry-row.ts";
import {
  type Due,
  emptyKeyState,
  isMoreUrgent,
  type KeyState,
  type Quarantined,
  type Running,
  withQuarantined,
  withRestored,
  withRetry,
  withRunning,
  withWaiting,
} from "#queues/key-state.ts";

interface MemoryQueueParts {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly limits?: QueueLimits;
}

/** For one-shot runs and the simulation. Nothing waits, so every call is atomic. */
export function createMemoryQueue({ clock, random, limits = {} }: MemoryQueueParts): Queue {
  const places = createKeyStates();
  const bell = createWakeListeners();
  let count = 0;
  let served: ServedOrigins = [];
  const change = (name: EntryRef, place: KeyState): void => {
    places.set(name, place);
    const due = dueOf(place);
    // In a queue with a limit, each end makes room for another.
    if ((due !== null && due.since <= clock.now()) || limits[name.queue] !== undefined) bell.ring();
  };
  const isFull = (queue: QueueName): boolean => !hasRoom(places.in(queue), limits[queue], clock.now());
  /** An expired lease is held until another worker takes it. */
  const heldBy = (claimed: ClaimedEntry): Running | null => {
    const { running } = places.of(claimed);
    return running?.token === claimed.token ? running : null;
  };
  const endHeld = (claimed: ClaimedEntry, end: (place: KeyState, held: Running) => KeyState): void => {
    const held = heldBy(claimed);
    if (held !== null) change(claimed, end(places.of(claimed), held));
  };
  const put: Queue["put"] = async (entry) => {
    const { payload, priority, origin } = entryRowOf(entry);
    const added = { payload, priority, origin, at: entry.at ?? clock.now(), attempts: 0, order: count++ };
    change(entry, withWaiting(places.of(entry), added, entry.whileRunning));
  };
  return {
    put,
    putAll: async (entries) => {
      for (const entry of entries) entryRowOf(entry);
      for (const entry of entries) await put(entry);
    },
    claim: async ({ queues, leaseMs }) => {
      const now = clock.now();
      const found = mostUrgent(places, now, { queues, limits, ranks: ranksOf(served) });
      if (found === null) return null;
      const { name, due } = found;
      const place = withRunning(places.of(name), due, { token: random.token(), leaseUntil: after(now, leaseMs) });
      places.set(name, place);
      served = withServed(served, place.origin);
      return takenOf(name, place.running, place.origin);
    },
    extend: async (claimed, leaseMs) => {
      const running = heldBy(claimed);
      const kept = running && extended(running, { now: clock.now(), leaseMs, isFull: isFull(claimed.queue) });
      if (kept === null) return "lost";
      places.set(claimed, { ...places.of(claimed), running: kept });
      return "kept";
    },
    finish: async (claimed) => endHeld(claimed, (place) => ({ ...place, running: null })),
    retry: async (claimed, at) => endHeld(claimed, (place, held) => withRetry(place, held, at)),
    quarantine: async (claimed, why) =>
      endHeld(claimed, (place, held) => withQuarantined(place, held, { why, since: clock.now() })),
    listQuarantined: async () => places.buried().slice(0, buriedListMax),
    restore: async (name) => {
      const { buried, origin } = places.of(name);
      if (buried === null) return "not_there";
      change(name, withRestored(buried, { at: clock.now(), order: count++, origin }));
      return "put_back";
    },
    cancel: async (name) => change(name, emptyKeyState),
    find: async (name) => stateOf(places.of(name)),
    nextDue: async (queues) => earliest(queues.map((queue) => nextIn(places.in(queue), limits[queue], clock.now()))),
    onWake: async (listener) => bell.listen(listener),
  };
}

function stateOf({ waiting, running }: KeyState): "waiting" | "running" | undefined {
  if (running !== null) return "running";
  return waiting === null ? undefined : "waiting";
}

function takenOf(name: EntryRef, running: Running, origin: KeyState["origin"]): ClaimedEntry {
  const { payload, priority, attempts, takeovers, token, leaseUntil } = running;
  return { ...name, token, leaseUntil, origin, priority, payload: JSON.parse(payload), attempt: attempts, takeovers };
}

/** Null: it has expired, and the queue is full. */
function extended(
  running: Running,
  { now, leaseMs, isFull }: { readonly now: Instant; readonly leaseMs: number; readonly isFull: boolean },
): Running | null {
  if (running.leaseUntil <= now && isFull) return null;
  // Never shorter: its holder counts on the time that it was told.
  return { ...running, leaseUntil: later(running.leaseUntil, after(now, leaseMs)) };
}

function mostUrgent(
  places: KeyStates,
  now: Instant,
  asked: { readonly queues: readonly QueueName[]; readonly limits: QueueLimits; readonly ranks: ServedRanks },
): { readonly name: EntryRef; readonly due: Due } | null {
  let found: { readonly name: EntryRef; readonly due: Due } | null = null;
  for (const queue of asked.queues) {
    if (!hasRoom(places.in(queue), asked.limits[queue], now)) continue;
    for (const [key, place] of places.in(queue)) {
      const due = dueOf(place);
      if (due === null || due.since > now) continue;
      if (found === null || isMoreUrgent(due, found.due, asked.ranks)) found = { name: { queue, key }, due };
    }
  }
  return found;
}

/** While one entry of a key runs, only that one can become due, when its lease expires. */
function dueOf({ waiting, running, origin }: KeyState): Due | null {
  if (running !== null) return { ...running, origin, kind: "taken_over", since: running.leaseUntil };
  return waiting === null ? null : { ...waiting, origin, kind: "waiting", since: waiting.at };
}

type Room = Iterable<readonly [key: string, KeyState]>;

function hasRoom(room: Room, limit: number | undefined, now: Instant): boolean {
  return limit === undefined || leasesOf(room, now).length < limit;
}

/** In a full queue the next one can start only when a running one ends or its lease expires. */
function nextIn(room: Room, limit: number | undefined, now: Instant): Instant | undefined {
  if (!hasRoom(room, limit, now)) return earliest(leasesOf(room, now));
  return earliest(Array.from(room, ([, place]) => dueOf(place)?.since));
}

function leasesOf(room: Room, now: Instant): readonly Instant[] {
  return Array.from(room).flatMap(([, { running }]) =>
    running === null || running.leaseUntil <= now ? [] : [running.leaseUntil],
  );
}

function later(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}

function createWakeListeners(): { ring(): void; listen(listener: () => void): WakeSubscription } {
  const listeners = new Set<() => void>();
  return {
    ring: () => {
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      // A function of its own, so that a caller that listens twice is called twice and can stop once.
      const called = (): void => listener();
      listeners.add(called);
      return { stop: async () => void listeners.delete(called) };
    },
  };
}

interface KeyStates {
  of(name: EntryRef): KeyState;
  set(name: EntryRef, place: KeyState): void;
  in(queue: QueueName): Iterable<readonly [key: string, KeyState]>;
  buried(): readonly QuarantinedEntry[];
}

function createKeyStates(): KeyStates {
  const places = new Map<QueueName, Map<string, KeyState>>();
  return {
    of: ({ queue, key }) => places.get(queue)?.get(key) ?? emptyKeyState,
    set: ({ queue, key }, place) => {
      const keys = places.get(queue) ?? new Map<string, KeyState>();
      if (place.waiting === null && place.running === null && place.buried === null) keys.delete(key);
      else places.set(queue, keys.set(key, place));
    },
    in: (queue) => places.get(queue) ?? [],
    buried: () => {
      const all = [...places].flatMap(([queue, keys]) =>
        [...keys].flatMap(([key, { buried }]) => (buried === null ? [] : [{ queue, key, buried }])),
      );
      return all.sort((left, right) => left.buried.since - right.buried.since).map(shown);
    },
  };
}

function shown({ queue, key, buried }: EntryRef & { readonly buried: Quarantined }): QuarantinedEntry {
  const { payload, priority, attempts, why, since } = buried;
  return { queue, key, payload: JSON.parse(payload), priority, attempts, why, since };
}
