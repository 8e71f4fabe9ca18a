import type { Instant } from "#core/model/instant.ts";
import type { EntryRow } from "#queues/entry-row.ts";

/** All that is known under one key. What is buried is alone. */
export interface Place {
  readonly waiting: Waiting | null;
  readonly running: Running | null;
  readonly buried: Buried | null;
}

export const emptyPlace: Place = { waiting: null, running: null, buried: null };

interface Work extends Pick<EntryRow, "payload" | "priority"> {
  /** How often it was taken. */
  readonly attempts: number;
  /** Of two that are equally urgent and due, the one that came first goes first, on every re-run. */
  readonly order: number;
}

export interface Waiting extends Work {
  readonly at: Instant;
}

export interface Running extends Work {
  readonly token: string;
  readonly leaseUntil: Instant;
  readonly takeovers: number;
}

export interface Buried extends Work {
  readonly why: string;
  readonly since: Instant;
}

export type Due = Work & { readonly kind: "waiting" | "taken_over"; readonly since: Instant };

export function placePut(place: Place, added: Waiting, whileRunning: "keep" | "skip"): Place {
  const { waiting, running } = place;
  if (waiting !== null) return { ...place, waiting: { ...waiting, at: earlier(waiting.at, added.at) } };
  if (running !== null && whileRunning === "skip") return place;
  return { running, waiting: added, buried: null };
}

/** What was put in while another worker had it goes on waiting for its end. */
export function placeTaken(
  { waiting, running }: Place,
  { payload, priority, order, attempts, kind }: Due,
  lease: Pick<Running, "token" | "leaseUntil">,
): Place & { readonly running: Running } {
  const takeovers = running === null ? 0 : running.takeovers + 1;
  const taken = { payload, priority, order, attempts: attempts + 1, takeovers, ...lease };
  return { ...emptyPlace, running: taken, waiting: kind === "waiting" ? null : waiting };
}

/** What came meanwhile stays as it is, but for the time and the count: a poke does not make a failing entry new. */
export function placeRetried({ waiting }: Place, held: Running, at: Instant): Place {
  const { payload, priority, order, attempts } = held;
  const again =
    waiting === null
      ? { payload, priority, order, attempts, at }
      : { ...waiting, at: earlier(waiting.at, at), attempts };
  return { ...emptyPlace, waiting: again };
}

export function placeBuried({ waiting }: Place, held: Running, grave: Pick<Buried, "why" | "since">): Place {
  if (waiting !== null) return { ...emptyPlace, waiting };
  const { payload, priority, order, attempts } = held;
  return { ...emptyPlace, buried: { payload, priority, order, attempts, ...grave } };
}

export function placeUnburied({ payload, priority }: Buried, { at, order }: Pick<Waiting, "at" | "order">): Place {
  return { ...emptyPlace, waiting: { payload, priority, at, order, attempts: 0 } };
}

export function isMoreUrgent(due: Due, other: Due): boolean {
  if (due.priority !== other.priority) return due.priority < other.priority;
  return due.since === other.since ? due.order < other.order : due.since < other.since;
}

function earlier(left: Instant, right: Instant): Instant {
  return left < right ? left : right;
}
