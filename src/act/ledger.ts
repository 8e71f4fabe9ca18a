import { type Effect, type EffectOutcome, stateKinds } from "#act/effect.ts";
import { changeRecords, originOf, type PullContext } from "#act/pull-context.ts";
import { backoffMs } from "#core/backoff.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import type { ThreadId } from "#core/model/ids.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";
import { type Obligation, type ObligationChange, type ObligationState, obligationKeyOf } from "#ports/store.ts";
import { tickEntry } from "#ports/tick-entry.ts";

export interface OnceCallbacks {
  /** Called once: its answer is stored, and sent as often as it takes. */
  readonly compose: () => Promise<string>;
  readonly send: (text: string) => Promise<string | null>;
  /** For effects without a text that could carry a mark. Undefined: not there. */
  readonly find?: (context: PullContext) => string | null | undefined;
  /** Called before the effect counts as settled: else a crash in between would skip it. */
  readonly announce?: Announce;
}

export type Announce = (context: PullContext, obligation: Obligation) => Promise<EffectOutcome>;

/**
 * A forge has no transactions, so `sending` is stored before the one call. After a lost response the ledger waits longer
 * than any forge lags, and then looks for the effect.
 */
export async function ensureOnce(context: PullContext, effect: Effect, ways: OnceCallbacks): Promise<EffectOutcome> {
  const held = await hold(context, effect);
  if (held.kind !== "held") return held.outcome;
  const { attempt } = held;
  const settled = await settle(attempt, ways);
  if (settled !== undefined) return settled;
  const waiting = await waitForLane(context, effect);
  if (waiting !== undefined) return await giveBack(attempt, waiting);
  const decided = await decide(attempt, effect, ways.compose);
  if (decided === "lost") return taken(attempt);
  return await sendOnce(decided.attempt, () => ways.send(decided.text), ways.announce);
}

/** Fixes the text without sending it, so that a caller's other effects follow from the same decision after a crash. */
export async function prepareOnce(
  context: PullContext,
  effect: Effect,
  compose: OnceCallbacks["compose"],
): Promise<{ readonly kind: "prepared"; readonly obligation: Obligation } | EffectOutcome> {
  const held = await hold(context, effect);
  if (held.kind !== "held") return held.outcome;
  const decided = await decide(held.attempt, effect, compose);
  if (decided === "lost") return taken(held.attempt);
  await change(decided.attempt, { lease: null });
  return { kind: "prepared", obligation: decided.attempt.obligation };
}

/** The text and its meaning for the records come from one decision, the first one. */
async function decide(
  attempt: Attempt,
  { note }: Effect,
  compose: OnceCallbacks["compose"],
): Promise<{ readonly attempt: Attempt; readonly text: string } | "lost"> {
  const { obligation } = attempt;
  if (obligation.text !== null) return { attempt, text: obligation.text };
  const text = await compose();
  if ((await change(attempt, { text, note })) === "lost") return "lost";
  return { attempt: { ...attempt, obligation: { ...obligation, text, note } }, text };
}

/** Repeating the call is harmless. Only what was done a moment ago is not repeated: the forge may not show it yet. */
export async function ensureState(
  context: PullContext,
  effect: Effect,
  send: () => Promise<void>,
  result: string | null = null,
): Promise<EffectOutcome> {
  const known = await doneJustNow(context, effect);
  if (known !== undefined) return known;
  const held = await hold(context, effect, { isRepeated: true });
  if (held.kind !== "held") return held.outcome;
  return await sendOnce(held.attempt, async () => {
    await send();
    return result;
  });
}

/** Then the caller has seen a stale read: each repetition would send a webhook that makes us repeat it. */
async function doneJustNow(context: PullContext, effect: Effect): Promise<EffectOutcome | undefined> {
  const { clock, durations, store } = context.dependencies;
  const known = await store.findObligation(obligationKeyOf(context.key, effect.key));
  if (known?.state.kind !== "done" || !known.state.isNoted) return undefined;
  const { at, result } = known.state;
  const shownAt = after(at, durations.settleMs);
  // A later time was set by a clock that has been set back since.
  if (context.askedAt >= shownAt || at > clock.now()) return undefined;
  const ledger = await store.listObligations(context.key);
  if (ledger.some((other) => other.lane === effect.lane && other.effect !== effect.key && isSince(other, at))) {
    return undefined;
  }
  context.scheduleCheck(shownAt);
  return { kind: "done", result, wasThere: true };
}

function isSince({ state }: Obligation, at: Instant): boolean {
  return state.kind === "sending" || state.kind === "unknown" || (state.kind === "done" && state.at > at);
}

interface Attempt {
  readonly context: PullContext;
  readonly obligation: Obligation;
  readonly token: string;
  readonly until: Instant;
}

type Held =
  | { readonly kind: "held"; readonly attempt: Attempt }
  | { readonly kind: "not_held"; readonly outcome: EffectOutcome };

async function hold(context: PullContext, effect: Effect, { isRepeated = false } = {}): Promise<Held> {
  const { dependencies } = context;
  const now = dependencies.clock.now();
  const key = obligationKeyOf(context.key, effect.key);
  const found = await dependencies.store.ensureObligation({
    ...effect,
    effect: effect.key,
    key,
    pull: context.key,
    createdAt: now,
  });
  const { state } = found;
  if (!isRepeated && state.kind === "done" && state.isNoted) {
    // If it is planned all the same, another worker has overwritten the records.
    await changeRecords(context, (records) => applyRecordUpdate(records, found.note, state.result));
    return notHeld({ kind: "done", result: state.result });
  }
  if (state.kind === "ready" && state.notBefore !== null && state.notBefore > now) {
    return notHeld({ kind: "later", at: state.notBefore, why: "waits as the forge asked" });
  }
  return await leaseFor(context, key);
}

function notHeld(outcome: EffectOutcome): Held {
  return { kind: "not_held", outcome };
}

async function leaseFor(context: PullContext, key: Obligation["key"]): Promise<Held> {
  const { clock, random, durations, store } = context.dependencies;
  const now = clock.now();
  const lease = { token: random.token(), until: after(now, durations.leaseMs) };
  const obligation = await store.leaseObligation({ key, lease, now });
  if (obligation === null)
    return notHeld({
      kind: "later",
      at: after(now, durations.leaseMs),
      why: "another worker has the lease on this effect",
    });
  return { kind: "held", attempt: { context, obligation, ...lease } };
}

/** Undefined: certainly not sent, so it may be sent. */
async function settle(
  attempt: Attempt,
  { find, announce }: Pick<OnceCallbacks, "find" | "announce">,
): Promise<EffectOutcome | undefined> {
  const { context, obligation } = attempt;
  const { state } = obligation;
  const { clock, durations } = context.dependencies;
  if (state.kind === "done") return await conclude(attempt, state.result, announce);
  if (state.kind === "sending") {
    // Its sender is gone, and it is unknown how far it came.
    const settleAt = after(clock.now(), durations.settleMs);
    await change(attempt, { state: { kind: "unknown", since: state.since, settleAt }, lease: null });
    return { kind: "later", at: settleAt, why: "it may be on its way" };
  }
  if (state.kind === "unknown" && context.askedAt < state.settleAt) {
    return await giveBack(attempt, { kind: "later", at: state.settleAt, why: "it may be on its way" });
  }
  const result = find === undefined ? findByMark(context, obligation.effect) : find(context);
  return result === undefined ? undefined : await conclude(attempt, result, announce);
}

function findByMark(context: PullContext, effect: string): string | undefined {
  const { instance, secret } = context.dependencies;
  const { repository, number } = context.ref;
  return oldestOf(context.effects, markOf(effect, { instance, repository: repository.id, pull: number }, secret))?.id;
}

/** In this order: the ledger, the records, others, and the ledger again that all of them know. */
async function conclude(attempt: Attempt, result: string | null, announce?: Announce): Promise<EffectOutcome> {
  const { context, obligation } = attempt;
  const at = context.dependencies.clock.now();
  if ((await change(attempt, { state: { kind: "done", result, at, isNoted: false } })) === "lost")
    return taken(attempt);
  await changeRecords(context, (records) => applyRecordUpdate(records, obligation.note, result));
  const told = await announce?.(context, obligation);
  if (told !== undefined && told.kind !== "done") return await giveBack(attempt, told);
  await change(attempt, { state: { kind: "done", result, at, isNoted: true }, lease: null });
  return { kind: "done", result };
}

/** One effect per lane at a time: the next one must not overtake what may still arrive. */
export async function waitForLane(
  context: PullContext,
  effect: Pick<Effect, "key" | "lane">,
): Promise<EffectOutcome | undefined> {
  const open = await context.dependencies.store.findOpenObligations(context.key);
  const other = open.find(
    ({ lane, effect: key, state }) => lane === effect.lane && key !== effect.key && state.kind !== "ready",
  );
  if (other === undefined) return undefined;
  const why = `${other.kind} in the same lane may be on its way`;
  const { clock, durations } = context.dependencies;
  const now = clock.now();
  if (other.lease !== null && other.lease.until > now) return { kind: "later", at: other.lease.until, why };
  if (other.state.kind === "unknown" && other.state.settleAt > now) {
    return { kind: "later", at: other.state.settleAt, why };
  }
  // Its sender died, or nothing wants it any more. Only a tick brings it to its end.
  await bringTickForward(context);
  return { kind: "later", at: after(now, durations.retryMs), why };
}

/** A running tick has begun with the open obligations and needs no other one after it. */
async function bringTickForward(context: PullContext): Promise<void> {
  const { instance, queue } = context.dependencies;
  const tick = tickEntry(instance, context.ref, { origin: originOf(context) });
  if ((await queue.find(tick)) !== "running") await queue.put({ ...tick, whileRunning: "skip" });
}

/** One lane: a reply in a thread may be taken for a question and for an argument. */
export function threadLane(thread: ThreadId): string {
  return `thread/${thread}`;
}

async function sendOnce(
  attempt: Attempt,
  send: () => Promise<string | null>,
  announce?: Announce,
): Promise<EffectOutcome> {
  const { context, obligation } = attempt;
  const { clock, durations } = context.dependencies;
  const since = clock.now();
  const attempts = obligation.attempts + 1;
  if ((await change(attempt, { state: { kind: "sending", since }, attempts })) === "lost") return taken(attempt);
  // Checked after the last wait before the call: with less of the lease left another worker might send it too.
  const now = clock.now();
  if (after(now, durations.marginMs) > attempt.until || after(now, durations.marginMs) > context.leaseUntil()) {
    const outcome: EffectOutcome = { kind: "later", at: now, why: "too little of the lease was left" };
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
/** A forge in trouble may recover at any moment; one that has refused hardly changes its mind. */
const troubledMsMax = 5 * 60 * 1000;
/** Shorter: an unanswered call may succeed the next moment. */
const repeatedMsMax = 10 * 60 * 1000;

async function failed(attempt: Attempt, error: unknown, attempts: number): Promise<EffectOutcome> {
  const { context, obligation } = attempt;
  const { clock, durations, log } = context.dependencies;
  const now = clock.now();
  if (isRepeatable(obligation.kind) && error instanceof ForgeError && error.isApplied === "unknown") {
    // Less and less often: if a forge is down for a day, not every pull may be ticked every few seconds.
    const at = after(now, backoffMs({ attempt: attempts, firstMs: durations.retryMs, maxMs: repeatedMsMax }));
    return await giveBack(attempt, { kind: "later", at, why: error.kind }, { state: ready(at, error.kind) });
  }
  if (!(error instanceof ForgeError) || error.isApplied === "unknown") {
    const settleAt = after(now, durations.settleMs);
    await change(attempt, { state: { kind: "unknown", since: now, settleAt }, lease: null });
    if (!(error instanceof ForgeError)) throw error;
    log.warn({ pull: context.key, effect: obligation.effect, kind: error.kind }, "the forge did not confirm an effect");
    return { kind: "later", at: settleAt, why: error.kind };
  }
  const isRefusal = refusals.has(error.kind);
  const maxMs = isRefusal ? refusedMsMax : troubledMsMax;
  const waitMs = backoffMs({ attempt: attempts, firstMs: 2 * durations.retryMs, maxMs });
  const notBefore = error.retryAt ?? after(now, waitMs);
  log.warn({ pull: context.key, effect: obligation.effect, kind: error.kind }, "the forge refused an effect");
  const outcome: EffectOutcome = isRefusal
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

async function giveBack(attempt: Attempt, outcome: EffectOutcome, more: ObligationChange = {}): Promise<EffectOutcome> {
  await change(attempt, { ...more, lease: null });
  return outcome;
}

function taken(attempt: Attempt): EffectOutcome {
  const { clock, durations } = attempt.context.dependencies;
  return { kind: "later", at: after(clock.now(), durations.retryMs), why: "another worker has taken over" };
}

async function change(attempt: Attempt, what: ObligationChange): Promise<"changed" | "lost"> {
  const { context, obligation, token } = attempt;
  return await context.dependencies.store.changeObligation({ key: obligation.key, token, change: what });
}

/** Also obligations that no plan wants any more. After a change of the records, the observation is out of date. */
export async function settleOpenObligations(context: PullContext, announce: Announce): Promise<number> {
  let concluded = 0;
  for (const { key, kind, head, effect, state } of await context.dependencies.store.findOpenObligations(context.key)) {
    const find = kind === "merge" ? findMerge(head) : () => findByMark(context, effect);
    // It was certainly not sent when it was last tried, and it is still not there.
    if (state.kind === "ready" && find(context) === undefined) continue;
    const held = await leaseFor(context, key);
    if (held.kind !== "held") {
      lookAgainFor(context, held.outcome);
      continue;
    }
    const settled = await settle(held.attempt, { find, announce });
    if (settled === undefined) await change(held.attempt, { state: ready(null, "not seen"), lease: null });
    else if (settled.kind === "done") concluded++;
    else lookAgainFor(context, settled);
  }
  return concluded;
}

/** Of this very head: people may have merged another one. */
export function findMerge(head: Obligation["head"]): (context: PullContext) => null | undefined {
  return ({ seen: { pull } }) => (pull.state === "merged" && pull.head.sha === head ? null : undefined);
}

function lookAgainFor(context: PullContext, outcome: EffectOutcome): void {
  if (outcome.kind !== "done") context.scheduleCheck(outcome.at);
}
