import { act } from "#act/act.ts";
import { announce } from "#act/announce.ts";
import { convergeEffects } from "#act/converge-effects.ts";
import type { EffectOutcome } from "#act/effect.ts";
import { ensureDesiredGateAbsent } from "#act/ensure-gate.ts";
import { ensureNotesSaved } from "#act/ensure-notes-saved.ts";
import { settleOpenObligations } from "#act/ledger.ts";
import { createPullContext, originOf, type PullContext } from "#act/pull-context.ts";
import { derive } from "#core/derive/derive.ts";
import type { Action } from "#core/model/action.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { afterTick } from "#core/plan/next-check.ts";
import { plan } from "#core/plan/plan.ts";
import type { Observer } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export type TickReport =
  | {
      readonly kind: "looked";
      readonly seen: Observation;
      readonly situation: Situation;
      readonly did: readonly ActionResult[];
    }
  /** An earlier turn's effect was completed; the next tick decides what follows. */
  | { readonly kind: "settled" }
  | { readonly kind: "stale"; readonly why: string };

export interface ActionResult {
  readonly action: Action;
  readonly outcome: EffectOutcome;
}

export interface TickContext {
  readonly dependencies: Dependencies;
  readonly observer: Observer;
  readonly leaseUntil: () => Instant;
  /** False: the lease is lost. */
  readonly keepLease: () => Promise<boolean>;
  readonly scheduleCheck: (at: Instant) => void;
}

/** A tick takes seconds and never waits for a model. The next tick does the rest. */
export async function tick(tickContext: TickContext, ref: PullRef): Promise<TickReport> {
  const { dependencies, scheduleCheck } = tickContext;
  const look = await tickContext.observer.observe(ref);
  if (look.kind === "stale") {
    scheduleCheck(look.retryAt);
    return { kind: "stale", why: look.why };
  }
  const pullContext = createPullContext(dependencies, look.observed, tickContext);
  if ((await settleOpenObligations(pullContext, announce)) > 0) {
    scheduleCheck(afterTick.settled(dependencies.clock.now()));
    return { kind: "settled" };
  }
  await convergeEffects(pullContext);
  const { seen } = pullContext;
  if (seen.pull.state !== "open") await ensureDesiredGateAbsent(pullContext);
  const situation = derive(seen);
  const actions = plan(seen, situation);
  const did = await carryOut(tickContext, pullContext, actions);
  const hasDone = did.some(({ action, outcome }) => action.kind !== "look_again" && isNew(outcome));
  const areNotesDue = !hasDone && actions.every(({ kind }) => kind !== "update_managed_comment");
  if (hasDone) scheduleCheck(afterTick.acted(dependencies.clock.now()));
  // An effect that waits, perhaps for days, must not delay the notes, unless it is the comment that holds them.
  const notes = areNotesDue ? await keepNotes(pullContext) : null;
  if (situation.merge.kind === "queued") {
    await queueLanding(pullContext, situation.merge.head, situation.heads.current.baseBranch);
    scheduleCheck(afterTick.queuedToMerge(dependencies.clock.now()));
  }
  const isAllDone = did.length === actions.length && did.every(({ outcome }) => outcome.kind === "done");
  if (seen.pull.state !== "open" && isAllDone && notes?.kind === "done")
    await ensureEndNoted(tickContext, pullContext, notes);
  return { kind: "looked", seen, situation, did };
}

/** After a failure the others are tried, unless the forge asked for a pause. */
async function carryOut(
  tickContext: TickContext,
  pullContext: PullContext,
  actions: readonly Action[],
): Promise<readonly ActionResult[]> {
  const did: ActionResult[] = [];
  for (const action of actions) {
    if (!(await tickContext.keepLease())) break;
    const outcome = withdrawalUnderWay(did, action) ?? (await act(pullContext, action));
    did.push({ action, outcome });
    if (outcome.kind === "done") continue;
    pullContext.scheduleCheck(outcome.at);
    if (outcome.kind === "later" && isSilence(outcome.why)) break;
  }
  return did;
}

/** The later review counts as the withdrawal, so it waits until the forge has dismissed the approval or refused. */
function withdrawalUnderWay(did: readonly ActionResult[], action: Action): EffectOutcome | undefined {
  if (action.kind !== "publish_review") return undefined;
  const isIt = ({ action: other, outcome }: ActionResult): boolean =>
    other.kind === "withdraw_approval" && other.role === action.role && outcome.kind === "later";
  return did.find(isIt)?.outcome;
}

function isNew(outcome: EffectOutcome): boolean {
  return outcome.kind === "done" && outcome.wasThere !== true;
}

function isSilence(why: string): boolean {
  return why === "rate_limited" || why === "unauthorized";
}

async function keepNotes(context: PullContext): Promise<EffectOutcome> {
  const kept = await ensureNotesSaved(context);
  if (kept.kind !== "done") context.scheduleCheck(kept.at);
  return kept;
}

/** The notes on the pull can now restore its records, which may be deleted. Without the lease its end is uncertain. */
async function ensureEndNoted(
  { dependencies, keepLease }: TickContext,
  context: PullContext,
  notes: EffectOutcome,
): Promise<void> {
  const isOnThePull = notes.kind === "done" && notes.wasThere === true;
  if (!isOnThePull) {
    if (context.seen.managedComment !== null) context.scheduleCheck(afterTick.notesSaved(dependencies.clock.now()));
    return;
  }
  if (!(await keepLease())) return;
  const stored = await dependencies.store.findPull(context.key);
  if (stored === undefined) return;
  await dependencies.store.markEnded({ pull: context.key, version: stored.version, at: dependencies.clock.now() });
}

async function queueLanding(
  context: PullContext,
  head: Observation["pull"]["head"]["sha"],
  baseBranch: string,
): Promise<void> {
  const { instance, queue } = context.dependencies;
  await queue.put({
    queue: "landing",
    key: `${instance}/${context.ref.repository.id}/${baseBranch}`,
    at: null,
    whileRunning: "keep",
    priority: 3,
    payload: { pull: context.ref, head, baseBranch },
    origin: originOf(context),
  });
}

/** With waits that double from 10 s on, that is longer than any lag of a forge. */
const goneTriesMax = 5;

/** Null: never, the pull is gone. The first "not found" may be the past of a pull that was just opened. */
export function retryAfter(
  error: ForgeError,
  { now, waitMs, attempt }: { readonly now: Instant; readonly waitMs: number; readonly attempt: number },
): Instant | null {
  if (error.kind === "not_found" && attempt >= goneTriesMax) return null;
  return error.retryAt ?? after(now, waitMs);
}
