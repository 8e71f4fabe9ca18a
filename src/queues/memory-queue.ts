import { after, earliest, type Instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Queue, QueueEntry, QueueName, TakenEntry } from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";

/** The queue of one process, for one-shot runs and the simulation. Nothing in here waits: every call is atomic. */
export function createMemoryQueue({ clock, random }: { readonly clock: Clock; readonly random: Random }): Queue {
  const places = new Map<QueueName, Map<string, Place>>();
  let count = 0;
  const placeOf = ({ queue, key }: Name): Place => places.get(queue)?.get(key) ?? emptyPlace;
  const setPlace = ({ queue, key }: Name, place: Place): void => {
    const keys = places.get(queue) ?? new Map<string, Place>();
    if (place.waiting === null && place.running === null) keys.delete(key);
    else places.set(queue, keys.set(key, place));
  };
  /** The running entry, for whoever holds its token; a lease that ran out is held until somebody else takes it. */
  const heldBy = (taken: TakenEntry): Running | null => {
    const { running } = placeOf(taken);
    return running?.token === taken.token ? running : null;
  };
  return {
    put: async (entry) => {
      const { waiting, running } = placeOf(entry);
      const at = entry.at ?? clock.now();
      if (waiting !== null) setPlace(entry, { running, waiting: { ...waiting, at: earlier(waiting.at, at) } });
      else if (running === null || entry.whileRunning === "keep") {
        setPlace(entry, { running, waiting: { ...workOf(entry), at, attempts: 0, order: count++ } });
      }
    },
    take: async ({ queues, leaseMs }) => {
      const now = clock.now();
      const found = mostUrgent(places, queues, now);
      if (found === null) return null;
      const { name, due } = found;
      const { payload, priority, order } = due;
      const lease = { token: random.token(), leaseUntil: after(now, leaseMs) };
      const running = { payload, priority, order, attempts: due.attempts + 1, ...lease };
      setPlace(name, { running, waiting: due.kind === "waiting" ? null : placeOf(name).waiting });
      return { ...name, ...lease, priority, payload: JSON.parse(payload), attempt: running.attempts };
    },
    extend: async (taken, leaseMs) => {
      const running = heldBy(taken);
      if (running === null) return "lost";
      // Never shorter than it was: whoever holds it reckons with the time that it was told.
      const leaseUntil = later(running.leaseUntil, after(clock.now(), leaseMs));
      setPlace(taken, { ...placeOf(taken), running: { ...running, leaseUntil } });
      return "kept";
    },
    finish: async (taken) => {
      if (heldBy(taken) !== null) setPlace(taken, { ...placeOf(taken), running: null });
    },
    retry: async (taken, at) => {
      const held = heldBy(taken);
      if (held !== null) setPlace(taken, { running: null, waiting: retried(held, placeOf(taken).waiting, at) });
    },
    cancel: async (name) => setPlace(name, emptyPlace),
    find: async (name) => {
      const { waiting, running } = placeOf(name);
      if (running !== null) return "running";
      return waiting === null ? undefined : "waiting";
    },
    nextDue: async (queues) => {
      const all = queues.flatMap((queue) => [...(places.get(queue)?.values() ?? [])]);
      return earliest(all.map((place) => dueOf(place)?.since));
    },
  };
}

type Name = Pick<QueueEntry, "queue" | "key">;

/** All that is known under one key. */
interface Place {
  readonly waiting: Waiting | null;
  readonly running: Running | null;
}

const emptyPlace: Place = { waiting: null, running: null };

interface Work {
  /** As JSON, as a database would keep it: nobody can change it from outside. */
  readonly payload: string;
  readonly priority: number;
  /** How often it was taken. */
  readonly attempts: number;
  /** Of two that are equally urgent and due, the one that came first goes first, on every re-run. */
  readonly order: number;
}

interface Waiting extends Work {
  readonly at: Instant;
}

interface Running extends Work {
  readonly token: string;
  readonly leaseUntil: Instant;
}

type Due = Work & { readonly kind: "waiting" | "taken_over"; readonly since: Instant };

function mostUrgent(
  places: ReadonlyMap<QueueName, ReadonlyMap<string, Place>>,
  queues: readonly QueueName[],
  now: Instant,
): { readonly name: Name; readonly due: Due } | null {
  let found: { readonly name: Name; readonly due: Due } | null = null;
  for (const queue of queues) {
    for (const [key, place] of places.get(queue) ?? []) {
      const due = dueOf(place);
      if (due === null || due.since > now) continue;
      if (found === null || isMoreUrgent(due, found.due)) found = { name: { queue, key }, due };
    }
  }
  return found;
}

function isMoreUrgent(due: Due, other: Due): boolean {
  if (due.priority !== other.priority) return due.priority < other.priority;
  return due.since === other.since ? due.order < other.order : due.since < other.since;
}

/** While one is running nothing else of its key is due: only the running one itself, when its lease has run out. */
function dueOf({ waiting, running }: Place): Due | null {
  if (running !== null) return { ...running, kind: "taken_over", since: running.leaseUntil };
  return waiting === null ? null : { ...waiting, kind: "waiting", since: waiting.at };
}

/** What came meanwhile stays as it is, but for the time and the count: a poke does not make a failing entry new. */
function retried(held: Running, waiting: Waiting | null, at: Instant): Waiting {
  const { payload, priority, order, attempts } = held;
  if (waiting === null) return { payload, priority, order, attempts, at };
  return { ...waiting, at: earlier(waiting.at, at), attempts };
}

/** Throws for what no database could keep. */
function workOf({ payload, priority }: QueueEntry): Pick<Work, "payload" | "priority"> {
  // The types of JSON.stringify leave out that it answers undefined where there is nothing to write.
  const text: string | undefined = JSON.stringify(payload);
  if (text === undefined) throw new Error("the payload of a queue entry must be plain JSON");
  return { payload: text, priority };
}

function earlier(left: Instant, right: Instant): Instant {
  return left < right ? left : right;
}

function later(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}
