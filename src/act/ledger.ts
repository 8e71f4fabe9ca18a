import { type Effect, type Outcome, stateKinds } from "#act/effect.ts";
import { changeRecords, originOf, type Turn } from "#act/turn.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { takeNote } from "#core/effects/note.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import type { ThreadId } from "#core/model/ids.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";
import { type Obligation, type ObligationChange, type ObligationState, obligationKeyOf } from "#ports/store.ts";

/** How an effect that must happen once is made. */
export interface OnceWays {
  /** The whole text, asked for once: what it answered is stored, and sent however often it takes. */
  readonly compose: () => Promise<string>;
  /** Calls the forge once. Answers with the id of what was made. */
  readonly send: (text: string) => Promise<string | null>;
  /** Looks for it in what was seen, where it has no text of its own to carry a mark: undefined while it is not there. */
  readonly find?: (turn: Turn) => string | null | undefined;
  /** Tells others of it once it is there, before it counts as settled: else a crash in between would keep it a secret. */
  readonly announce?: Announce;
}

export type Announce = (turn: Turn, obligation: Obligation) => Promise<Outcome>;

/**
 * Makes an effect happen once, on a forge that has no transactions: an obligation under a unique key, a lease of this
 * very attempt, a text that is produced once, a look for what may be there already, `sending` written down before the
 * one call, and after an answer that never came a wait that is longer than the forge's memory before anybody looks again.
 */
export async function ensureOnce(turn: Turn, effect: Effect, ways: OnceWays): Promise<Outcome> {
  const held = await hold(turn, effect);
  if (held.kind !== "held") return held.outcome;
  const { attempt } = held;
  const settled = await settle(attempt, ways);
  if (settled !== undefined) return settled;
  const waiting = await laneWait(turn, effect);
  if (waiting !== undefined) return await giveBack(attempt, waiting);
  const decided = await decide(attempt, effect, ways.compose);
  if (decided === "lost") return taken(attempt);
  return await sendOnce(decided.attempt, () => ways.send(decided.text), ways.announce);
}

/**
 * Settles what will be said, without saying it: whoever acts on the same decision in another way as well must not decide
 * anew after a crash. Answers with the obligation, whose text and note hold from now on.
 */
export async function prepareOnce(
  turn: Turn,
  effect: Effect,
  compose: OnceWays["compose"],
): Promise<{ readonly kind: "prepared"; readonly obligation: Obligation } | Outcome> {
  const held = await hold(turn, effect);
  if (held.kind !== "held") return held.outcome;
  const decided = await decide(held.attempt, effect, compose);
  if (decided === "lost") return taken(held.attempt);
  await change(decided.attempt, { lease: null });
  return { kind: "prepared", obligation: decided.attempt.obligation };
}

/** The text and what it means for the records come from one decision, and from the first: what was kept is kept. */
async function decide(
  attempt: Attempt,
  { note }: Effect,
  compose: OnceWays["compose"],
): Promise<{ readonly attempt: Attempt; readonly text: string } | "lost"> {
  const { obligation } = attempt;
  if (obligation.text !== null) return { attempt, text: obligation.text };
  const text = await compose();
  if ((await change(attempt, { text, note })) === "lost") return "lost";
  return { attempt: { ...attempt, obligation: { ...obligation, text, note } }, text };
}

/**
 * Makes a state hold that the forge keeps by itself: repeating the call is harmless, so nothing waits for anything. Only
 * what was done a moment ago is not repeated, since the forge may not show it yet.
 */
export async function ensureState(
  turn: Turn,
  effect: Effect,
  send: () => Promise<void>,
  /** The forge's id of what has the state, where the note needs it. */
  result: string | null = null,
): Promise<Outcome> {
  const known = await doneJustNow(turn, effect);
  if (known !== undefined) return known;
  const held = await hold(turn, effect, { isRepeated: true });
  if (held.kind !== "held") return held.outcome;
  return await sendOnce(held.attempt, async () => {
    await send();
    return result;
  });
}

/**
 * It was the last thing done in its lane, within the forge's memory: whoever wants it again has been shown the past.
 * Each repetition would send a webhook that wakes us to repeat it, for as long as the forge lags.
 */
async function doneJustNow(turn: Turn, effect: Effect): Promise<Outcome | undefined> {
  const { clock, spans, store } = turn.parts;
  const known = await store.findObligation(obligationKeyOf(turn.key, effect.key));
  if (known?.state.kind !== "done" || !known.state.isNoted) return undefined;
  const { at, result } = known.state;
  const shownAt = after(at, spans.settleMs);
  // A time that has not come yet was told by a clock that was set back since.
  if (turn.askedAt >= shownAt || at > clock.now()) return undefined;
  const ledger = await store.listObligations(turn.key);
  if (ledger.some((other) => other.lane === effect.lane && other.effect !== effect.key && isSince(other, at))) {
    return undefined;
  }
  turn.lookAgain(shownAt);
  return { kind: "done", result, wasThere: true };
}

function isSince({ state }: Obligation, at: Instant): boolean {
  return state.kind === "sending" || state.kind === "unknown" || (state.kind === "done" && state.at > at);
}

/** Somebody's attempt at an obligation, with the lease that makes it theirs. */
interface Attempt {
  readonly turn: Turn;
  readonly obligation: Obligation;
  readonly token: string;
  readonly until: Instant;
}

type Held =
  | { readonly kind: "held"; readonly attempt: Attempt }
  | { readonly kind: "not_held"; readonly outcome: Outcome };

async function hold(turn: Turn, effect: Effect, { isRepeated = false } = {}): Promise<Held> {
  const { parts } = turn;
  const now = parts.clock.now();
  const key = obligationKeyOf(turn.key, effect.key);
  const found = await parts.store.ensureObligation({
    ...effect,
    effect: effect.key,
    key,
    pull: turn.key,
    createdAt: now,
  });
  const { state } = found;
  if (!isRepeated && state.kind === "done" && state.isNoted) {
    // Whoever plans it all the same does not know of it: somebody has overwritten what the records said.
    await changeRecords(turn, (records) => takeNote(records, found.note, state.result));
    return notHeld({ kind: "done", result: state.result });
  }
  if (state.kind === "ready" && state.notBefore !== null && state.notBefore > now) {
    return notHeld({ kind: "later", at: state.notBefore, why: "told to wait" });
  }
  return await leaseFor(turn, key);
}

function notHeld(outcome: Outcome): Held {
  return { kind: "not_held", outcome };
}

async function leaseFor(turn: Turn, key: Obligation["key"]): Promise<Held> {
  const { clock, random, spans, store } = turn.parts;
  const now = clock.now();
  const lease = { token: random.token(), until: after(now, spans.leaseMs) };
  const obligation = await store.leaseObligation({ key, lease, now });
  if (obligation === null) return notHeld({ kind: "later", at: after(now, spans.leaseMs), why: "somebody is at it" });
  return { kind: "held", attempt: { turn, obligation, ...lease } };
}

/** What became of an earlier attempt. Undefined: certainly nothing, so it may be sent. */
async function settle(
  attempt: Attempt,
  { find, announce }: Pick<OnceWays, "find" | "announce">,
): Promise<Outcome | undefined> {
  const { turn, obligation } = attempt;
  const { state } = obligation;
  const { clock, spans } = turn.parts;
  if (state.kind === "done") return await conclude(attempt, state.result, announce);
  if (state.kind === "sending") {
    // Whoever sent it is gone, and nobody knows how far it came.
    const settleAt = after(clock.now(), spans.settleMs);
    await change(attempt, { state: { kind: "unknown", since: state.since, settleAt }, lease: null });
    return { kind: "later", at: settleAt, why: "it may be on its way" };
  }
  if (state.kind === "unknown" && turn.askedAt < state.settleAt) {
    return await giveBack(attempt, { kind: "later", at: state.settleAt, why: "it may be on its way" });
  }
  const result = find === undefined ? findByMark(turn, obligation.effect) : find(turn);
  return result === undefined ? undefined : await conclude(attempt, result, announce);
}

function findByMark(turn: Turn, effect: string): string | undefined {
  const { instance, secret } = turn.parts;
  const { repository, number } = turn.ref;
  return oldestOf(turn.effects, markOf(effect, { instance, repository: repository.id, pull: number }, secret))?.id;
}

/** It is there: first the ledger says so, then the records, then others, then the ledger that all of them know. */
async function conclude(attempt: Attempt, result: string | null, announce?: Announce): Promise<Outcome> {
  const { turn, obligation } = attempt;
  const at = turn.parts.clock.now();
  if ((await change(attempt, { state: { kind: "done", result, at, isNoted: false } })) === "lost")
    return taken(attempt);
  await changeRecords(turn, (records) => takeNote(records, obligation.note, result));
  const told = await announce?.(turn, obligation);
  if (told !== undefined && told.kind !== "done") return await giveBack(attempt, told);
  await change(attempt, { state: { kind: "done", result, at, isNoted: true }, lease: null });
  return { kind: "done", result };
}

/** Of one lane only one effect is under way: what follows must not overtake what may still arrive. */
export async function laneWait(turn: Turn, effect: Pick<Effect, "key" | "lane">): Promise<Outcome | undefined> {
  const open = await turn.parts.store.findOpenObligations(turn.key);
  const other = open.find(
    ({ lane, effect: key, state }) => lane === effect.lane && key !== effect.key && state.kind !== "ready",
  );
  if (other === undefined) return undefined;
  const why = `${other.kind} in the same lane may be on its way`;
  const { clock, spans } = turn.parts;
  const now = clock.now();
  if (other.lease !== null && other.lease.until > now) return { kind: "later", at: other.lease.until, why };
  if (other.state.kind === "unknown" && other.state.settleAt > now) {
    return { kind: "later", at: other.state.settleAt, why };
  }
  // Its sender died, or nothing wants it any more. Only a tick brings it to its end.
  await bringTickForward(turn);
  return { kind: "later", at: after(now, spans.retryMs), why };
}

/** A tick that runs already has begun with what was left open, and needs no other one behind it. */
async function bringTickForward(turn: Turn): Promise<void> {
  const tick = { queue: "tick", key: turn.key } as const;
  if ((await turn.parts.queue.find(tick)) === "running") return;
  const payload = { pull: turn.ref };
  await turn.parts.queue.put({ ...tick, at: null, whileRunning: "skip", priority: 2, payload, origin: originOf(turn) });
}

/** In a thread one thing is said at a time: a reply may be taken for a question and for an argument. */
export function threadLane(thread: ThreadId): string {
  return `thread/${thread}`;
}

async function sendOnce(attempt: Attempt, send: () => Promise<string | null>, announce?: Announce): Promise<Outcome> {
  const { turn, obligation } = attempt;
  const { clock, spans } = turn.parts;
  const since = clock.now();
  const attempts = obligation.attempts + 1;
  if ((await change(attempt, { state: { kind: "sending", since }, attempts })) === "lost") return taken(attempt);
  // Checked after the last wait before the call: with less of the lease left somebody else might send it too.
  const now = clock.now();
  if (after(now, spans.marginMs) > attempt.until || after(now, spans.marginMs) > turn.leaseUntil()) {
    const outcome: Outcome = { kind: "later", at: now, why: "too little of the lease was left" };
    return await giveBack(attempt, outcome, { state: ready(null, null) });
  }
  let result: string | null;
  try {
    result = await send();
  } catch (error) {
    return await failed(attempt, error, attempts);
  }
  return await conclude(attempt, result, announce);
}

const refusedMsMax = 60 * 60 * 1000;
/** A forge that had trouble may be back at any moment; one that has refused hardly changes its mind. */
const troubledMsMax = 5 * 60 * 1000;
/** Shorter, because what is only not answered may be served the next moment. */
const repeatedMsMax = 10 * 60 * 1000;

async function failed(attempt: Attempt, error: unknown, attempts: number): Promise<Outcome> {
  const { turn, obligation } = attempt;
  const { clock, spans, log } = turn.parts;
  const now = clock.now();
  if (isRepeatable(obligation.kind) && error instanceof ForgeError && error.isApplied === "unknown") {
    // Ever more seldom: whoever is away for a day must not have every pull looked at every few seconds for so long.
    const at = after(now, Math.min(spans.retryMs * 2 ** Math.min(attempts - 1, 20), repeatedMsMax));
    return await giveBack(attempt, { kind: "later", at, why: error.kind }, { state: ready(at, error.kind) });
  }
  if (!(error instanceof ForgeError) || error.isApplied === "unknown") {
    const settleAt = after(now, spans.settleMs);
    await change(attempt, { state: { kind: "unknown", since: now, settleAt }, lease: null });
    if (!(error instanceof ForgeError)) throw error;
    log.warn({ pull: turn.key, effect: obligation.effect, kind: error.kind }, "nobody knows whether it was done");
    return { kind: "later", at: settleAt, why: error.kind };
  }
  const isRefusal = refusals.has(error.kind);
  const waitMs = Math.min(spans.retryMs * 2 ** Math.min(attempts, 20), isRefusal ? refusedMsMax : troubledMsMax);
  const notBefore = error.retryAt ?? after(now, waitMs);
  log.warn({ pull: turn.key, effect: obligation.effect, kind: error.kind }, "the forge would not do it");
  const outcome: Outcome = isRefusal
    ? { kind: "refused", error: error.kind, at: notBefore }
    : { kind: "later", at: notBefore, why: error.kind };
  return await giveBack(attempt, outcome, { state: ready(notBefore, error.kind) });
}

const refusals: ReadonlySet<ForgeErrorKind> = new Set(["refused", "not_found", "forbidden", "may_not_approve"]);

function isRepeatable(kind: string): boolean {
  return stateKinds.some((known) => known === kind);
}

function ready(notBefore: Instant | null, refusal: string | null): ObligationState {
  return { kind: "ready", notBefore, refusal };
}

async function giveBack(attempt: Attempt, outcome: Outcome, more: ObligationChange = {}): Promise<Outcome> {
  await change(attempt, { ...more, lease: null });
  return outcome;
}

function taken(attempt: Attempt): Outcome {
  const { clock, spans } = attempt.turn.parts;
  return { kind: "later", at: after(clock.now(), spans.retryMs), why: "somebody else has taken over" };
}

async function change(attempt: Attempt, what: ObligationChange): Promise<"changed" | "lost"> {
  const { turn, obligation, token } = attempt;
  return await turn.parts.store.changeObligation({ key: obligation.key, token, change: what });
}

/**
 * Brings what an earlier turn left open to its end, whether anybody still wants it or not. Answers how many changed the
 * records: then what was seen is no longer all that is known.
 */
export async function settleOpen(turn: Turn, announce: Announce): Promise<number> {
  let concluded = 0;
  for (const { key, kind, head, effect, state } of await turn.parts.store.findOpenObligations(turn.key)) {
    const find = kind === "merge" ? findMerge(head) : () => findByMark(turn, effect);
    // It was certainly not done when it was last tried, and as long as it is not there that is still so.
    if (state.kind === "ready" && find(turn) === undefined) continue;
    const held = await leaseFor(turn, key);
    if (held.kind !== "held") {
      lookAgainFor(turn, held.outcome);
      continue;
    }
    const settled = await settle(held.attempt, { find, announce });
    if (settled === undefined) await change(held.attempt, { state: ready(null, "not seen"), lease: null });
    else if (settled.kind === "done") concluded++;
    else lookAgainFor(turn, settled);
  }
  return concluded;
}

/** Of that very head: people may have merged another one, which is nothing that this effect did. */
export function findMerge(head: Obligation["head"]): (turn: Turn) => null | undefined {
  return ({ seen: { pull } }) => (pull.state === "merged" && pull.head.sha === head ? null : undefined);
}

function lookAgainFor(turn: Turn, outcome: Outcome): void {
  if (outcome.kind !== "done") turn.lookAgain(outcome.at);
}
