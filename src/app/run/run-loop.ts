import type { RetryTrackingQueue } from "#app/run/retry-tracking-queue.ts";
import { formatInstant, type Instant } from "#core/model/instant.ts";
import type { RunEnd } from "#core/plan/run-failures.ts";
import { mergeabilityUnknown, waitReason } from "#core/plan/wait-reason.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import { queueNames } from "#ports/queue.ts";
import type { Reconciler } from "#reconcile/reconciler.ts";
import type { TickReport } from "#reconcile/tick.ts";

export interface RunLoopOptions {
  readonly dependencies: Pick<Dependencies, "clock" | "store" | "queue">;
  readonly reconciler: Pick<Reconciler, "claimNext" | "releaseAll">;
  readonly retried: RetryTrackingQueue["retried"];
  readonly pull: PullKey;
  readonly report: () => TickReport | undefined;
  readonly triesMax: number;
  readonly deadline: Instant;
  readonly signal: AbortSignal;
  readonly confirmClaim: (signal: AbortSignal) => Promise<void>;
  readonly onWait: (why: string, ms: number) => void;
}

/** More turns than this for one pull are a bug. */
const turnsMax = 500;
/** At one tick each half minute, longer than a working forge takes. */
const forgeWaitsMax = 4;

/** The most urgent first, one after the other, until none of the run's own work is due. */
export async function runUntilDone(options: RunLoopOptions): Promise<RunEnd> {
  const { clock } = options.dependencies;
  const over = new AbortController();
  const ended = new AbortController();
  const end = (): void => over.abort();
  options.signal.addEventListener("abort", end);
  over.signal.addEventListener("abort", () => void options.reconciler.releaseAll());
  const timing = (async () => {
    await clock.sleep(options.deadline - clock.now(), ended.signal);
    if (!ended.signal.aborted) end();
  })();
  if (options.signal.aborted) end();
  try {
    return await turn(options, over.signal);
  } finally {
    options.signal.removeEventListener("abort", end);
    ended.abort();
    await timing;
  }
}

async function turn(options: RunLoopOptions, over: AbortSignal): Promise<RunEnd> {
  const { dependencies, reconciler, deadline } = options;
  let patience = forgeWaitsMax;
  for (let turns = 0; turns < turnsMax; turns++) {
    await options.confirmClaim(over);
    if (over.aborted) return options.signal.aborted ? { kind: "stopped" } : outOfTime(deadline);
    const work = await reconciler.claimNext();
    if (work !== null) {
      await work.run();
      continue;
    }
    const why = await reasonToWait(options);
    const due = why === null ? undefined : await dependencies.queue.nextDue(queueNames);
    if (why === mergeabilityUnknown) patience -= 1;
    if (why === null || due === undefined || patience < 0) return { kind: "rest" };
    if (due > deadline) return { kind: "out_of_time", why: `${why}, and not before ${formatInstant(due)}` };
    const ms = Math.max(0, due - dependencies.clock.now());
    options.onWait(why, ms);
    await dependencies.clock.sleep(ms, over);
  }
  return { kind: "out_of_time", why: `the work did not end within ${turnsMax} turns` };
}

async function reasonToWait({ dependencies, pull, report, retried, triesMax }: RunLoopOptions): Promise<string | null> {
  const open = await dependencies.store.findOpenObligations(pull);
  return waitReason({ report: report(), retried: retried(), open, triesMax });
}

function outOfTime(deadline: Instant): RunEnd {
  return { kind: "out_of_time", why: `the time for this run ended at ${formatInstant(deadline)}` };
}
