import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "./chance.ts";

/**
 * When a process is killed. Times alone rarely meet the moments that matter: right after a promise, and in the middle of
 * a write. The forge sees both.
 */
export interface Moments {
  /** A webhook was answered with 202. */
  onAccepted(): void;
  /** A write of the bot has reached the forge; its answer has not been sent yet. */
  onWrite(): void;
  next(chance: Chance, life: LifeSpan): Moment;
}

export interface LifeSpan {
  readonly kinds: readonly [MomentKind, ...MomentKind[]];
  /** Resolves when the process is ready, or never will be. */
  readonly ready: Promise<unknown>;
  readonly bootMsMax: number;
  /** Once it is ready. */
  readonly lifeMsMax: number;
}

/** While it starts; at some time of its life; when the n-th such thing happens. */
export type MomentKind = "boot" | "time" | "accepted" | "write";

export interface Moment {
  readonly kind: MomentKind;
  readonly come: Promise<void>;
  hasCome(): boolean;
}

/** The first one of its kind is always the same. */
const countsMax = 4;

export function createMoments(): Moments {
  let waiting: { readonly kind: string; left: number; readonly come: () => void } | null = null;

  function count(kind: string): void {
    if (waiting?.kind !== kind) return;
    waiting.left -= 1;
    if (waiting.left <= 0) waiting.come();
  }

  return {
    onAccepted: () => count("accepted"),
    onWrite: () => count("write"),
    next: (chance, life) => {
      const kind = chance.pick(life.kinds);
      const event = new Promise<void>((resolve) => {
        waiting = { kind, left: 1 + chance.below(countsMax), come: resolve };
      });
      let hasCome = false;
      const come = (async () => {
        await Promise.race([event, timeOf(kind, chance, life)]);
        hasCome = true;
      })();
      return { kind, come, hasCome: () => hasCome };
    },
  };
}

/** Also what waits for an event comes to an end some time. */
async function timeOf(kind: MomentKind, chance: Chance, life: LifeSpan): Promise<void> {
  const ms = chance.below(kind === "boot" ? life.bootMsMax : life.lifeMsMax);
  if (kind !== "boot") await life.ready;
  // What nobody waits for any more must not keep this process alive.
  await sleep(kind === "boot" || kind === "time" ? ms : life.lifeMsMax, undefined, { ref: false });
}
