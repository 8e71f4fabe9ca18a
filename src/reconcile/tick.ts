import { act } from "#act/act.ts";
import { announce } from "#act/announce.ts";
import { convergeEffects } from "#act/converge-effects.ts";
import type { Outcome } from "#act/effect.ts";
import { ensureGateWishAbsent } from "#act/ensure-gate.ts";
import { ensureNotesKept } from "#act/ensure-notes-kept.ts";
import { settleOpen } from "#act/ledger.ts";
import { originOf, startTurn, type Turn } from "#act/turn.ts";
import { derive } from "#core/derive/derive.ts";
import type { Action } from "#core/model/action.ts";
import { after, hourMs, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { plan } from "#core/plan/plan.ts";
import type { Observer } from "#observe/observe.ts";
import type { ForgeError } from "#ports/forge.ts";
import type { Parts } from "#ports/parts.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** What one look at a pull led to. */
export type TickReport =
  | {
      readonly kind: "looked";
      readonly seen: Observation;
      readonly situation: Situation;
      readonly did: readonly Deed[];
    }
  /** What an earlier turn had begun was brought to its end; the next look decides on what follows from it. */
  | { readonly kind: "settled" }
  | { readonly kind: "stale"; readonly why: string };

export interface Deed {
  readonly action: Action;
  readonly outcome: Outcome;
}

export interface TickPlace {
  readonly parts: Parts;
  readonly observer: Observer;
  readonly leaseUntil: () => Instant;
  /** Makes sure that some of the lease is left. False: it is lost, stop. */
  readonly keepLease: () => Promise<boolean>;
  readonly lookAgain: (at: Instant) => void;
}

/** After something was done the pull is looked at again, when the forge has had the time to show it. */
const freshMs = 2_000;
/** How soon a pull that waits for its base branch asks for its turn again. */
const queuedMs = 30_000;

/** Observe, derive, plan, act. It takes seconds and never waits for a model; whatever it does not get to, the next one does. */
export async function tick(place: TickPlace, ref: PullRef): Promise<TickReport> {
  const { parts, lookAgain } = place;
  const look = await place.observer.look(ref);
  if (look.kind === "stale") {
    lookAgain(look.retryAt);
    return { kind: "stale", why: look.why };
  }
  const turn = startTurn(parts, look.observed, place);
  if ((await settleOpen(turn, announce)) > 0) {
    lookAgain(parts.clock.now());
    return { kind: "settled" };
  }
  await convergeEffects(turn);
  const { seen } = turn;
  if (seen.pull.state !== "open") await ensureGateWishAbsent(turn);
  const situation = derive(seen);
  const actions = plan(seen, situation);
  const did = await carryOut(place, turn, actions);
  const hasDone = did.some(({ action, outcome }) => action.kind !== "look_again" && isNew(outcome));
  const areNotesDue = !hasDone && actions.every(({ kind }) => kind !== "update_managed_comment");
  if (hasDone) lookAgain(after(parts.clock.now(), freshMs));
  // What has to wait, for days perhaps, does not keep the notes from being kept, unless it is the comment they stand in.
  const notes = areNotesDue ? await keepNotes(turn) : null;
  if (situation.merge.kind === "queued") {
    await queueLanding(turn, situation.merge.head, situation.heads.current.baseBranch);
    // The branch has one entry for all of its pulls: one that finds it taken has to come back when it is free.
    lookAgain(after(parts.clock.now(), queuedMs));
  }
  const isAllDone = did.length === actions.length && did.every(({ outcome }) => outcome.kind === "done");
  if (seen.pull.state !== "open" && isAllDone && notes?.kind === "done") await ensureEndNoted(place, turn, notes);
  return { kind: "looked", seen, situation, did };
}

/** One failure does not keep the others from being tried; only a forge that wants silence gets it. */
async function carryOut(place: TickPlace, turn: Turn, actions: readonly Action[]): Promise<readonly Deed[]> {
  const did: Deed[] = [];
  for (const action of actions) {
    if (!(await place.keepLease())) break;
    const outcome = withdrawalUnderWay(did, action) ?? (await act(turn, action));
    did.push({ action, outcome });
    if (outcome.kind === "done") continue;
    turn.lookAgain(outcome.at);
    if (outcome.kind === "later" && isSilence(outcome.why)) break;
  }
  return did;
}

/**
 * An approval counts as withdrawn once a later review of its role says so. That review waits until the forge has dismissed the
 * approval or has refused to: otherwise nothing would dismiss it any more.
 */
function withdrawalUnderWay(did: readonly Deed[], action: Action): Outcome | undefined {
  if (action.kind !== "publish_review") return undefined;
  const isIt = ({ action: other, outcome }: Deed): boolean =>
    other.kind === "withdraw_approval" && other.role === action.role && outcome.kind === "later";
  return did.find(isIt)?.outcome;
}

function isNew(outcome: Outcome): boolean {
  return outcome.kind === "done" && outcome.wasThere !== true;
}

function isSilence(why: string): boolean {
  return why === "rate_limited" || why === "unauthorized";
}

async function keepNotes(turn: Turn): Promise<Outcome> {
  const kept = await ensureNotesKept(turn);
  if (kept.kind !== "done") turn.lookAgain(kept.at);
  return kept;
}

/** Notes that were written now are looked at once more, when nobody can be shown the past any longer. */
const notesMs = hourMs;

/**
 * From now on the pull may be forgotten some day: what it would have to be known by again stands on it. Whoever has lost
 * the lease does not know any more whether it has ended: another may have seen it opened again.
 */
async function ensureEndNoted({ parts, keepLease }: TickPlace, turn: Turn, notes: Outcome): Promise<void> {
  const isOnThePull = notes.kind === "done" && notes.wasThere === true;
  if (!isOnThePull) {
    if (turn.seen.managedComment !== null) turn.lookAgain(after(parts.clock.now(), notesMs));
    return;
  }
  if (!(await keepLease())) return;
  const stored = await parts.store.findPull(turn.key);
  if (stored === undefined) return;
  await parts.store.noteEnded({ pull: turn.key, version: stored.version, at: parts.clock.now() });
}

/** One at a time for each base branch. */
async function queueLanding(turn: Turn, head: Observation["pull"]["head"]["sha"], baseBranch: string): Promise<void> {
  const { instance, queue } = turn.parts;
  await queue.put({
    queue: "landing",
    key: `${instance}/${turn.ref.repository.id}/${baseBranch}`,
    at: null,
    whileRunning: "keep",
    priority: 3,
    payload: { pull: turn.ref, head, baseBranch },
    origin: originOf(turn),
  });
}

/** With waits that double from 10 s on, that is longer than any lag of a forge. */
const goneTriesMax = 5;

/**
 * When a tick or a job that the forge would not serve is tried again; null: never, the pull is gone. Not at the first "not found":
 * that is also how a forge shows its past of a pull that has only just been opened.
 */
export function retryAfter(
  error: ForgeError,
  { now, waitMs, attempt }: { readonly now: Instant; readonly waitMs: number; readonly attempt: number },
): Instant | null {
  if (error.kind === "not_found" && attempt >= goneTriesMax) return null;
  return error.retryAt ?? after(now, waitMs);
}
