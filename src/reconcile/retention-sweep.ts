import { errorText } from "#core/error-text.ts";
import { after, dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import type { Retention } from "#core/model/retention.ts";
import type { Dependencies } from "#ports/dependencies.ts";

export interface RetentionSweepOptions extends Pick<Dependencies, "clock" | "log"> {
  readonly store: Pick<Dependencies["store"], "forgetEnded" | "forgetSpends">;
  /** Asked anew each time: a reload may change it. */
  readonly retention: () => Retention;
}

/** Not during the start, but soon: a server that restarts every hour has to sweep too. */
const firstMs = minuteMs;
const everyMs = hourMs;
/** Per statement: on the embedded engine everybody waits for it. */
const atOnceMax = 50;
/** Lets waiting callers work. */
const restMs = 50;

export async function runRetentionSweep(options: RetentionSweepOptions, signal: AbortSignal): Promise<void> {
  for (let waitMs = firstMs; ; waitMs = everyMs) {
    await options.clock.sleep(waitMs, signal);
    if (signal.aborted) return;
    await sweep(options, signal);
  }
}

async function sweep(options: RetentionSweepOptions, signal: AbortSignal): Promise<void> {
  const { store, clock } = options;
  const { endedPullsDays, spendsDays } = options.retention();
  const now = clock.now();
  await trySweep(options, "pulls", signal, (countMax) =>
    store.forgetEnded({ before: after(now, -endedPullsDays * dayMs), countMax }),
  );
  await trySweep(options, "spends", signal, (countMax) =>
    store.forgetSpends({ before: after(now, -spendsDays * dayMs), countMax }),
  );
}

async function trySweep(
  options: RetentionSweepOptions,
  what: string,
  signal: AbortSignal,
  forget: Forget,
): Promise<void> {
  try {
    const count = await untilAllGone(options, signal, forget);
    if (count > 0) options.log.info({ what, count }, "old rows are deleted");
  } catch (error) {
    options.log.warn({ what, why: errorText(error) }, "old rows could not be deleted");
  }
}

type Forget = (countMax: number) => Promise<number>;

async function untilAllGone({ clock }: RetentionSweepOptions, signal: AbortSignal, forget: Forget): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await forget(atOnceMax);
    sum += count;
    if (count < atOnceMax || signal.aborted) return sum;
    await clock.sleep(restMs, signal);
  }
}
