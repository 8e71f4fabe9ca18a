import { compareOrigins, type ServedRanks } from "#core/fairness/fair-order.ts";
import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import type { EntryRow } from "#queues/entry-row.ts";

/** All that is known under one key. What is buried is alone. */
export interface Place {
  readonly waiting: Waiting | null;
  readonly running: Running | null;
  readonly buried: Buried | null;
  readonly origin: OriginText;
}

export const emptyPlace: Place = { waiting: null, running: null, buried: null, origin: originText(null) };

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

export type Due = Work & Pick<Place, "origin"> & { readonly kind: "waiting" | "taken_over"; readonly since: Instant };

/** Of two texts of one origin the longer one knows the author. */
export function placePut(
  place: Place,
  { origin: told, ...added }: Waiting & Pick<Place, "origin">,
  whileRunning: "keep" | "skip",
): Place {
  const { waiting, running } = place;
  const origin = told > place.origin ? told : place.origin;
  if (waiting !== null && added.at >= waiting.at) return place;
  if (waiting !== null) return { ...place, origin, waiting: { ...waiting, at: added.at } };
  if (running !== null && whileRunning === "skip") return place;
  return { running, waiting: added, buried: null, origin };
}

/** What was put in while another worker had it goes on waiting for its end. */
export function placeTaken(
  { waiting, running, origin }: Place,
  { payload, priority, order, attempts, kind }: Due,
  lease: Pick<Running, "token" | "leaseUntil">,
): Place & { readonly running: Running } {
  const takeovers = running === null ? 0 : running.takeovers + 1;
  const taken = { payload, priority, order, attempts: attempts + 1, takeovers, ...lease };
  return { ...emptyPlace, origin, running: taken, waiting: kind === "waiting" ? null : waiting };
}

/** What came meanwhile stays as it is, but for the time and the count: a poke does not make a failing entry new. */
export function placeRetried({ waiting, origin }: Place, held: Running, at: Instant): Place {
  const { payload, priority, order, attempts } = held;
  const again =
    waiting === null
      ? { payload, priority, order, attempts, at }
      : { ...waiting, at: earlier(waiting.at, at), attempts };
  return { ...emptyPlace, origin, waiting: again };
}

export function placeBuried({ waiting, origin }: Place, held: Running, grave: Pick<Buried, "why" | "since">): Place {
  if (waiting !== null) return { ...emptyPlace, origin, waiting };
  const { payload, priority, order, attempts } = held;
  return { ...emptyPlace, origin, buried: { payload, priority, order, attempts, ...grave } };
}

export function placeUnburied(
  { payload, priority }: Buried,
  { at, order, origin }: Pick<Waiting, "at" | "order"> & Pick<Place, "origin">,
): Place {
  return { ...emptyPlace, origin, waiting: { payload, priority, at, order, attempts: 0 } };
}

export function isMoreUrgent(due: Due, other: Due, ranks: ServedRanks): boolean {
  if (due.priority !== other.priority) return due.priority < other.priority;
  const turn = compareOrigins(ranks, due.origin, other.origin);
  if (turn !== 0) return turn < 0;
  return due.since === other.since ? due.order < other.order : due.since < other.since;
}

function earlier(left: Instant, right: Instant): Instant {
  return left < right ? left : right;
}
