import type { RunDependencies } from "#app/run/run-dependencies.ts";
import { backoffMs } from "#core/backoff.ts";
import { after, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { counted } from "#core/words/counted.ts";
import { type ClaimOutcome, type ClaimSign, claimSigns, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface ClaimOptions {
  readonly dependencies: Pick<RunDependencies["dependencies"], "forge" | "clock" | "durations" | "log">;
  readonly pull: PullRef;
  readonly deadline: Instant;
  readonly triesMax: number;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export type PullClaim =
  /** `hold` renews the claim during the work and releases it at the end. */
  | {
      readonly kind: "claimed";
      readonly hold: <Result>(work: (held: HeldClaim) => Promise<Result>) => Promise<Result>;
    }
  | { readonly kind: "failed"; readonly why: string };

export interface HeldClaim {
  /** Another run has worked on the pull. */
  readonly lost: AbortSignal;
  /** Waits until a claim that expired is renewed or known to be lost: what this run remembers may be old by now. */
  readonly confirm: (signal: AbortSignal) => Promise<void>;
}

/** A CI kills runs, which then leave their claim behind. A claim that is not renewed expires after this time. */
const claimMs = minuteMs;
export const renewMs = 25 * secondMs;
/** Each check of a claim writes to the forge, and GitHub allows at most 500 writes an hour. */
const waitMsMin = 5 * secondMs;
const waitMsMax = 30 * secondMs;
const waitGrowth = 1.5;
const renewRetryMs = 2 * secondMs;
const takeoverGapMs = 2 * secondMs;
/** A run that finds the pull claimed takes its own sign back at once, so an older sign was left behind. */
const leftBehindMs = 10 * secondMs;
/** Longer than a call to the forge usually takes. */
const takeoverSettleMs = 10 * secondMs;

/** Two runs at once would both pay for the same review and answer the same command. The second one waits. */
export async function claimPull(options: ClaimOptions): Promise<PullClaim> {
  const { dependencies, signal, deadline } = options;
  const { clock } = dependencies;
  let failures = 0;
  let hasWaited = false;
  let waitMs: number = waitMsMin;
  while (!signal.aborted) {
    const outcome = await tryTo(async () => await tryClaim(options));
    if (outcome instanceof ForgeError) {
      if (lasting.has(outcome.kind)) return unclaimed(options, outcome);
      failures += outcome.kind === "rate_limited" ? 0 : 1;
      const pauseMs = backoffMs({ attempt: failures + 1, firstMs: dependencies.durations.retryMs });
      const retryAt = outcome.retryAt ?? after(clock.now(), pauseMs);
      if (failures >= options.triesMax || retryAt >= deadline) {
        return failed(`the pull could not be claimed: ${outcome.message}`);
      }
      await clock.sleep(Math.max(0, retryAt - clock.now()), signal);
      continue;
    }
    const own = hasWaited ? await settled(options, outcome) : outcome;
    if (own?.kind === "claimed") return heldClaim(options, validClaim(clock.now(), own));
    const words = `another run has been working on this pull for ${minutes(outcome.ageMs)}`;
    if (clock.now() >= deadline) return failed(words);
    if (outcome.ageMs >= claimMs) {
      const released = await tryTo(async () => await release(options, outcome));
      hasWaited = true;
      if (!(released instanceof ForgeError)) {
        await clock.sleep(takeoverGapMs, signal);
        continue;
      }
    }
    if (!hasWaited) options.tell(`waiting: ${words}`);
    hasWaited = true;
    await clock.sleep(Math.max(secondMs, Math.min(waitMs, claimMs - outcome.ageMs)), signal);
    waitMs = Math.min(Math.round(waitMs * waitGrowth), waitMsMax);
  }
  return failed("it was stopped while it waited for another run");
}

type Found = ClaimOutcome & { readonly sign: ClaimSign };

const [firstSign, secondSign] = claimSigns;

/** A run that renewed may hold only the second sign. That one needs the first, so its holder is the run at work. */
async function tryClaim(options: ClaimOptions): Promise<Found> {
  const { pull, dependencies } = options;
  const { forge } = dependencies;
  const first = { ...(await forge.claimPull({ pull, sign: firstSign })), sign: firstSign };
  if (first.kind === "held") return first;
  const second = await tryTo(async () => await forge.claimPull({ pull, sign: secondSign }));
  if (second instanceof ForgeError) {
    await tryTo(async () => await release(options, first));
    throw second;
  }
  const isFree = second.kind === "claimed";
  await release(options, isFree ? { ...second, sign: secondSign } : first);
  return isFree ? first : { ...second, sign: secondSign };
}

/** On forges whose reactions have no number, two runs may both remove one old claim. The gap shows who claimed last. */
async function settled(options: ClaimOptions, outcome: Found): Promise<Found | null> {
  const { dependencies, signal, deadline } = options;
  let own = outcome;
  while (own.kind === "claimed" && !signal.aborted && dependencies.clock.now() < deadline) {
    await dependencies.clock.sleep(takeoverSettleMs, signal);
    const again = await tryTo(async () => await tryClaim(options));
    if (again instanceof ForgeError) continue;
    if (again.claim === own.claim) return { ...again, kind: "claimed" };
    own = again;
  }
  return null;
}

/** The token may not react here, so runs go on without claims. */
const lasting: ReadonlySet<ForgeError["kind"]> = new Set<ForgeError["kind"]>(["forbidden", "refused", "not_found"]);

function unclaimed({ dependencies }: ClaimOptions, { kind }: ForgeError): PullClaim {
  dependencies.log.warn({ kind }, "the pull cannot be claimed, so another run may work on it at the same time");
  return noClaim;
}

export const noClaim: PullClaim = {
  kind: "claimed",
  hold: (work) => work({ lost: new AbortController().signal, confirm: async () => undefined }),
};

interface ValidClaim {
  readonly claim: string;
  readonly sign: ClaimSign;
  readonly until: Instant;
}

function validClaim(now: Instant, { claim, sign, ageMs }: Found): ValidClaim {
  return { claim, sign, until: after(now, claimMs - ageMs) };
}

function heldClaim(options: ClaimOptions, first: ValidClaim): PullClaim {
  const { clock, log } = options.dependencies;
  return {
    kind: "claimed",
    hold: async (work) => {
      const [stop, lost] = [new AbortController(), new AbortController()];
      const claim: RenewableClaim = { own: first, lose: () => lost.abort(), renewing: null, hasWarned: false };
      const renewing = renewUntilStopped(options, claim, AbortSignal.any([stop.signal, lost.signal]));
      const confirm: HeldClaim["confirm"] = async (signal) => {
        const isOver = (): boolean => signal.aborted || lost.signal.aborted;
        while (!isOver() && clock.now() >= claim.own.until) {
          if (!(await renewOnce(options, claim)) && !isOver()) await clock.sleep(renewRetryMs, signal);
        }
      };
      try {
        return await work({ lost: lost.signal, confirm });
      } finally {
        stop.abort();
        await renewing;
        const { own } = claim;
        // Another run may have claimed the pull since then.
        if (clock.now() < own.until) {
          const outcome = await tryTo(async () => await release(options, own));
          if (outcome instanceof ForgeError) log.warn({ kind: outcome.kind }, "a claim on a pull was left behind");
        }
      }
    },
  };
}

interface RenewableClaim {
  own: ValidClaim;
  readonly lose: () => void;
  renewing: Promise<boolean> | null;
  hasWarned: boolean;
}

async function renewUntilStopped(options: ClaimOptions, claim: RenewableClaim, stopped: AbortSignal): Promise<void> {
  const { clock } = options.dependencies;
  let sleepMs: number = renewMs;
  for (;;) {
    await clock.sleep(sleepMs, stopped);
    if (stopped.aborted) return;
    sleepMs = (await renewOnce(options, claim)) ? renewMs : renewRetryMs;
  }
}

/** Two renewals at once would each release the sign of the other. */
async function renewOnce(options: ClaimOptions, claim: RenewableClaim): Promise<boolean> {
  claim.renewing ??= renewOrLose(options, claim).finally(() => {
    claim.renewing = null;
  });
  return await claim.renewing;
}

async function renewOrLose(options: ClaimOptions, claim: RenewableClaim): Promise<boolean> {
  const { clock, log } = options.dependencies;
  const { own } = claim;
  const isOwn = clock.now() < own.until ? true : await tryTo(async () => await isStillOwn(options, own));
  if (isOwn === false) {
    claim.lose();
    return false;
  }
  const renewed = isOwn === true ? await tryTo(async () => await renew(options, own)) : isOwn;
  if (renewed === null) return false;
  if (renewed instanceof ForgeError) {
    if (!claim.hasWarned) log.warn({ kind: renewed.kind }, "a claim on a pull could not be renewed");
    claim.hasWarned = true;
    return false;
  }
  Object.assign(claim, { own: renewed, hasWarned: false });
  return true;
}

/** A run that takes a pull over removes the old sign first, and what it does is unknown to the memory of this one. */
async function isStillOwn(options: ClaimOptions, { claim, sign }: ValidClaim): Promise<boolean> {
  const found = await options.dependencies.forge.claimPull({ pull: options.pull, sign });
  if (found.kind === "claimed") await release(options, { ...found, sign });
  return found.claim === claim;
}

/** A reaction keeps the time of its creation, so renewing adds another one before it removes the old one. */
async function renew(options: ClaimOptions, own: ValidClaim): Promise<ValidClaim | null> {
  const { forge, clock } = options.dependencies;
  const sign = own.sign === firstSign ? secondSign : firstSign;
  const outcome = await forge.claimPull({ pull: options.pull, sign });
  if (outcome.kind === "claimed") {
    const renewed = validClaim(clock.now(), { ...outcome, sign });
    await release(options, own);
    return renewed;
  }
  if (outcome.ageMs >= leftBehindMs) await release(options, { ...outcome, sign });
  return null;
}

async function release(
  { dependencies, pull }: ClaimOptions,
  { claim, sign }: Pick<Found, "claim" | "sign">,
): Promise<void> {
  await dependencies.forge.releasePull({ pull, claim, sign });
}

async function tryTo<Result>(call: () => Promise<Result>): Promise<Result | ForgeError> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ForgeError) return error;
    throw error;
  }
}

function minutes(ms: number): string {
  return counted(Math.max(1, Math.ceil(ms / minuteMs)), "minute", "minutes");
}

function failed(why: string): PullClaim {
  return { kind: "failed", why };
}
