import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxFault, SandboxFaultSource } from "#forges/sandbox/sandbox.ts";
import type { Chance } from "./chance.ts";
import type { Figures } from "./figures.ts";
import type { Scene } from "./scenes.ts";

/** Everything that can go wrong, by name: each can be switched off to find out which of them a failure needs. */
export const faultKinds = [
  "lost_response",
  "server_error",
  "rate_limited",
  "timeout",
  "expired_token",
  "stale",
  "dropped_webhook",
  "doubled_webhook",
  "delayed_webhook",
  "crash",
  "pause",
  "clock_jump",
  "store_lost",
  "slow_call",
  "git_trouble",
  "reviewer_trouble",
  "model_trouble",
  "notifier_trouble",
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What goes wrong in one life of the world: nothing on some days, nearly everything on others. */
export interface Weather {
  readonly name: "calm" | "breeze" | "storm";
  /** Whether this happens now. */
  strikes(kind: FaultKind): boolean;
  readonly forgeFaults: SandboxFaultSource;
  isCrash(crossing: string): boolean;
  /** How long a worker stands still here; 0 mostly. */
  pauseMs(crossing: string): number;
  /** From now on nothing goes wrong any more. */
  clear(): void;
}

/** How often each of them strikes where it can, on the worst of days. */
const stormRates: Readonly<Record<FaultKind, number>> = {
  lost_response: 0.2,
  server_error: 0.15,
  rate_limited: 0.04,
  timeout: 0.15,
  expired_token: 0.03,
  stale: 0.1,
  dropped_webhook: 0.5,
  doubled_webhook: 0.3,
  delayed_webhook: 0.5,
  crash: 0.006,
  pause: 0.004,
  clock_jump: 0.2,
  store_lost: 0.6,
  slow_call: 0.02,
  git_trouble: 0.1,
  reviewer_trouble: 0.3,
  model_trouble: 0.3,
  notifier_trouble: 0.3,
};

/** What happens in few lives: there a worker dies more often, so that every place is met over a full run. */
const rareEffects =
  / (?:answer_edit|blanked|dispute_reply|dismissal|completion|escalation|session_report|superseded_mark|resolved_thread|merge|discarded_review|dismissed_review|notes|notes_edit|session_reply|review_request|remarks) |discardPendingReview|dismissReview|requestReviews|git\.push|queue\.retry session/;

/** Workers that die more often than this never get anything done, which proves nothing. */
const crashesMax = 12;
const staleMsMax = minuteMs;

export function drawWeather(options: {
  readonly chance: Chance;
  readonly figures: Figures;
  readonly off: ReadonlySet<string>;
  /** The crossing at which a worker is to die in this life, on its n-th time. */
  readonly target: { readonly crossing: string; readonly time: number } | null;
  readonly scene: Scene | null;
}): Weather {
  const { chance, figures, off, scene } = options;
  const name = chance.pick(["calm", "breeze", "breeze", "breeze", "storm", "storm"] as const);
  const rates = drawRates(name, chance, off);
  let isClear = false;
  let crashes = 0;
  let timesAtTarget = 0;
  const strikes = (kind: FaultKind): boolean => {
    // Asked in any case: which of them are switched off must not change what chance says next.
    const isStruck = chance.isTrue(rates[kind]) && !isClear && !off.has(kind);
    if (isStruck && kind !== "crash" && kind !== "pause") figures.fault(kind);
    return isStruck;
  };
  let sleeps = 0;
  return {
    name,
    strikes,
    forgeFaults: ({ isWrite }) => (isWrite ? writeFault(strikes, chance) : readFault(strikes, chance)),
    isCrash: (crossing) => {
      const isTarget = crossing === options.target?.crossing && ++timesAtTarget === options.target.time;
      const isRare = name !== "calm" && rareEffects.test(crossing) && chance.isTrue(0.2);
      // What a seed aims at may come late, when sessions end and merges happen: one death in good weather changes nothing.
      const isStruck = strikes("crash") || ((isTarget || (isRare && !isClear)) && !off.has("crash"));
      if (!isStruck || crashes >= crashesMax) return false;
      crashes++;
      return true;
    },
    pauseMs: (crossing) => {
      const isSleeper =
        scene === "sleeper" && crossing === "forge.createComment before" && !isClear && !off.has("pause");
      if (!(isSleeper && sleeps++ === 0) && !strikes("pause")) return 0;
      figures.fault("pause");
      return 65 * secondMs + chance.below(4 * minuteMs);
    },
    clear: () => {
      isClear = true;
    },
  };
}

/** On a breezy day only some kinds of trouble are about, and milder ones. */
function drawRates(name: Weather["name"], chance: Chance, off: ReadonlySet<string>): Record<FaultKind, number> {
  const rates = { ...stormRates };
  for (const kind of faultKinds) {
    const isAbout = chance.isTrue(name === "storm" ? 0.7 : 0.35);
    const share = 0.2 + chance.below(80) / 100;
    rates[kind] = name === "calm" || !isAbout || off.has(kind) ? 0 : stormRates[kind] * share;
  }
  return rates;
}

type Strikes = Weather["strikes"];

function writeFault(strikes: Strikes, chance: Chance): SandboxFault | null {
  if (strikes("lost_response")) return { kind: "lost_response" };
  if (strikes("server_error")) return { kind: "server_error", isApplied: chance.isTrue(0.5) };
  if (strikes("timeout")) return { kind: "timeout", isApplied: chance.isTrue(0.5) };
  return commonFault(strikes, chance);
}

function readFault(strikes: Strikes, chance: Chance): SandboxFault | null {
  if (strikes("stale")) return { kind: "stale", ms: 1 + chance.below(staleMsMax) };
  // One look is many reads, and a read that fails is worth less trouble than a write that may have happened.
  if (chance.isTrue(0.85)) return null;
  if (strikes("server_error")) return { kind: "server_error", isApplied: false };
  if (strikes("timeout")) return { kind: "timeout", isApplied: false };
  return commonFault(strikes, chance);
}

function commonFault(strikes: Strikes, chance: Chance): SandboxFault | null {
  if (strikes("expired_token")) return { kind: "expired_token" };
  if (!strikes("rate_limited")) return null;
  return { kind: "rate_limited", retryAfterMs: chance.isTrue(0.5) ? secondMs + chance.below(2 * minuteMs) : null };
}
