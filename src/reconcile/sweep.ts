import { after, dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import type { Retention } from "#core/model/retention.ts";
import type { Parts } from "#ports/parts.ts";

export interface SweepPlace extends Pick<Parts, "clock" | "log"> {
  readonly store: Pick<Parts["store"], "forgetEnded" | "forgetSpends">;
  /** Asked anew each time: a reload may change it. */
  readonly retention: () => Retention;
}

/** A server that is started again every hour sweeps too; and not while it starts. */
const firstMs = minuteMs;
const everyMs = hourMs;
/** In one statement: on the embedded engine everybody waits for it. */
const atOnceMax = 50;
/** For those who waited. */
const restMs = 50;

/** Forgets what has been of no use for long, now and then, until the signal is aborted. */
export async function runSweep(place: SweepPlace, signal: AbortSignal): Promise<void> {
  for (let waitMs = firstMs; ; waitMs = everyMs) {
    await place.clock.sleep(waitMs, signal);
    if (signal.aborted) return;
    await sweep(place, signal);
  }
}

async function sweep(place: SweepPlace, signal: AbortSignal): Promise<void> {
  const { store, clock } = place;
  const { endedPullsDays, spendsDays } = place.retention();
  const now = clock.now();
  await trySweep(place, "pulls", signal, (countMax) =>
    store.forgetEnded({ before: after(now, -endedPullsDays * dayMs), countMax }),
  );
  await trySweep(place, "spends", signal, (countMax) =>
    store.forgetSpends({ before: after(now, -spendsDays * dayMs), countMax }),
  );
}

/** One that fails does not keep the other from being tried. */
async function trySweep(place: SweepPlace, what: string, signal: AbortSignal, forget: Forget): Promise<void> {
  try {
    const count = await untilAllGone(place, signal, forget);
    if (count > 0) place.log.info({ what, count }, "old rows are forgotten");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    place.log.warn({ what, why }, "old rows could not be forgotten");
  }
}

type Forget = (countMax: number) => Promise<number>;

async function untilAllGone({ clock }: SweepPlace, signal: AbortSignal, forget: Forget): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await forget(atOnceMax);
    sum += count;
    if (count < atOnceMax || signal.aborted) return sum;
    await clock.sleep(restMs, signal);
  }
}
