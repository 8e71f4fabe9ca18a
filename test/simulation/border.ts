import { instant } from "#core/model/instant.ts";
import type { Chance } from "./chance.ts";
import type { Figures } from "./figures.ts";
import type { Life, Scheduler } from "./scheduler.ts";
import type { Weather } from "./weather.ts";

/** Where a worker meets what is outside of it: before something is asked, and after it happened, before the answer. */
export interface Crossing {
  /** `forge.createComment`, `store.changeObligation sending acknowledge`: the same name on every run. */
  readonly point: string;
  readonly phase: "before" | "after";
  /** How long the way takes. */
  readonly ms: readonly [least: number, most: number];
}

export interface Border {
  /** Resolves when the worker may go on; never, if this is where it died. */
  cross(crossing: Crossing): Promise<void>;
}

export interface BorderWorld {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly figures: Figures;
  /** Told when a worker dies or stops, so that somebody takes its place. */
  readonly onCrash: (life: Life, at: string) => void;
  readonly onPause: (life: Life, at: string, ms: number) => void;
}

/** As long as a client waits for a forge before it gives up. */
const slowMsMax = 8_000;

/** All the interleaving there is happens here: at each crossing time passes, and the worker may die or stop for a while. */
export function createBorder(world: BorderWorld, life: Life): Border {
  const { scheduler, chance, weather, figures } = world;
  return {
    async cross({ point, phase, ms: [least, most] }) {
      const name = `${point} ${phase}`;
      figures.crossed(name);
      if (weather.isCrash(name)) {
        life.isOver = true;
        figures.crashed(name);
        world.onCrash(life, name);
        await forever();
      }
      const pauseMs = weather.pauseMs(name);
      if (pauseMs > 0) {
        life.frozenUntil = instant(scheduler.now() + pauseMs);
        world.onPause(life, name, pauseMs);
      }
      // What takes no time at all needs no event, unless the worker stops right here.
      if (most === 0 && pauseMs === 0) return;
      const isSlow = phase === "before" && point.startsWith("forge.") && weather.strikes("slow_call");
      await scheduler.pass(life, least + chance.below(most - least + 1) + (isSlow ? chance.below(slowMsMax) : 0));
    },
  };
}

/** Nobody holds it, so that whatever waits for it is forgotten together with it. */
function forever(): Promise<never> {
  return new Promise(() => {
    // It never comes to anything.
  });
}
