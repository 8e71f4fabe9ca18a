import { compareOrigins, type ServedRanks } from "#core/fairness/fair-order.ts";
import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import type { EntryRow } from "#queues/entry-row.ts";

/** A quarantined entry never has a waiting or running one beside it. */
export interface KeyState {
  readonly waiting: WaitingWork | null;
  readonly running: Running | null;
  readonly buried: Quarantined | null;
  readonly origin: OriginText;
}

export const emptyKeyState: KeyState = { waiting: null, running: null, buried: null, origin: originText(null) };

interface Work extends Pick<EntryRow, "payload" | "priority"> {
  readonly attempts: number;
  /** Of two equally urgent and due entries, the first one goes first, on every re-run. */
  readonly order: number;
}

export interface WaitingWork extends Work {
  readonly at: Instant;
}

export interface Running extends Work {
  readonly token: string;
  readonly leaseUntil: Instant;
  readonly takeovers: number;
}

export interface Quarantined extends Work {
  readonly why: string;
  readonly since: Instant;
}

export type Due = Work &
  Pick<KeyState, "origin"> & { readonly kind: "waiting" | "taken_over"; readonly since: Instant };

/** Of two texts of one origin the longer one knows the author. */
export function withWaiting(
  place: KeyState,
  { origin: told, ...added }: WaitingWork & Pick<KeyState, "origin">,
  whileRunning: "keep" | "skip",
): KeyState {
  const { waiting, running } = place;
  const origin = told > place.origin ? told : place.origin;
  if (waiting !== null && added.at >= waiting.at) return place;
  if (waiting !== null) return { ...place, origin, waiting: { ...waiting, at: added.at } };
  if (running !== null && whileRunning === "skip") return place;
  return { running, waiting: added, buried: null, origin };
}

/** What was put in meanwhile goes on waiting for the end of this one. */
export function withRunning(
  { waiting, running, origin }: KeyState,
  { payload, priority, order, attempts, kind }: Due,
  lease: Pick<Running, "token" | "leaseUntil">,
): KeyState & { readonly running: Running } {
  const takeovers = running === null ? 0 : running.takeovers + 1;
  const taken = { payload, priority, order, attempts: attempts + 1, takeovers, ...lease };
  return { ...emptyKeyState, origin, running: taken, waiting: kind === "waiting" ? null : waiting };
}

/** An entry that came meanwhile keeps its content, not its time and count: a poke must not reset a failing entry. */
export function withRetry({ waiting, origin }: KeyState, held: Running, at: Instant): KeyState {
  const { payload, priority, order, attempts } = held;
  const again =
    waiting === null
      ? { payload, priority, order, attempts, at }
      : { ...waiting, at: earlier(waiting.at, at), attempts };
  return { ...emptyKeyState, origin, waiting: again };
}

export function withQuarantined(
  { waiting, origin }: KeyState,
  held: Running,
  grave: Pick<Quarantined, "why" | "since">,
): KeyState {
  if (waiting !== null) return { ...emptyKeyState, origin, waiting };
  const { payload, priority, order, attempts } = held;
  return { ...emptyKeyState, origin, buried: { payload, priority, order, attempts, ...grave } };
}

export function withRestored(
  { payload, priority }: Quarantined,
  { at, order, origin }: Pick<WaitingWork, "at" | "order"> & Pick<KeyState, "origin">,
): KeyState {
  return { ...emptyKeyState, origin, waiting: { payload, priority, at, order, attempts: 0 } };
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
