import { type Instant, instant } from "#core/model/instant.ts";

/**
 * Virtual time. Everything that takes time in the simulated world is an event here, and events happen one at a time, the
 * earliest first and in the order in which they were planned: the same plans give the same world on every machine.
 */
export interface Scheduler {
  now(): Instant;
  /** It will happen then, if the life that it belongs to goes on until then; null for what belongs to the world. */
  plan(event: { readonly at: Instant; readonly life: Life | null; readonly happen: () => void }): void;
  /** Resolves after that time, for whoever still lives then. */
  pass(life: Life | null, ms: number): Promise<void>;
  /** Lets the next event happen and everything that follows from it at once. Undefined: nothing is planned until then. */
  step(until: Instant): Promise<"happened" | undefined>;
  /** How many events have happened. */
  count(): number;
}

/** A process: it ends without a word, or stops for a while and knows nothing of it. */
export interface Life {
  readonly name: string;
  isOver: boolean;
  frozenUntil: Instant;
}

export function newLife(name: string): Life {
  return { name, isOver: false, frozenUntil: instant(0) };
}

interface Event {
  readonly at: Instant;
  readonly order: number;
  readonly life: Life | null;
  readonly happen: () => void;
}

export function createScheduler(start: Instant): Scheduler {
  const events: Event[] = [];
  let now = start;
  let order = 0;
  let happened = 0;
  const plan: Scheduler["plan"] = ({ at, life, happen }) => {
    push(events, { at: at > now ? at : now, order: order++, life, happen });
  };
  return {
    now: () => now,
    count: () => happened,
    plan,
    pass: (life, ms) =>
      new Promise((resolve) => {
        // Machines count whole milliseconds, however exact a pause is meant to be.
        plan({ at: instant(now + Math.ceil(ms)), life, happen: resolve });
      }),
    async step(until) {
      for (;;) {
        const next = events[0];
        if (next === undefined || next.at > until) {
          if (until > now) now = until;
          return undefined;
        }
        pop(events);
        if (next.life?.isOver === true) continue;
        if (next.life !== null && next.life.frozenUntil > next.at) {
          push(events, { ...next, at: next.life.frozenUntil });
          continue;
        }
        now = next.at;
        happened++;
        next.happen();
        await drain();
        return "happened";
      }
    },
  };
}

/** Everything in the simulated world is made of promises alone, and Node runs all of them before the next tick. */
function drain(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** A binary heap: the earliest event is the first element. */
function push(heap: Event[], event: Event): void {
  let place = heap.length;
  heap.push(event);
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || isBefore(parent, event)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    const right = heap[2 * place + 2];
    if (left === undefined) break;
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (isBefore(last, child)) break;
    heap[place] = child;
    place = 2 * place + (isRight ? 2 : 1);
  }
  heap[place] = last;
}

function isBefore(left: Event, right: Event): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}
