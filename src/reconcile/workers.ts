import { errorText } from "#core/error-text.ts";
import { secondMs } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { QueueSlots } from "#reconcile/queue-slots.ts";
import type { Reconciler, Work } from "#reconcile/reconciler.ts";
import type { WakeSignal } from "#reconcile/wake-signal.ts";

export interface WorkersOptions extends Pick<Dependencies, "queue" | "clock" | "log"> {
  readonly reconciler: Pick<Reconciler, "claimNext">;
  readonly wake: WakeSignal;
  /** It notifies the wake when one more entry can begin. */
  readonly slots: QueueSlots;
}

/** Notices can get lost, so no worker sleeps for longer. */
const idleMsMax = 5 * secondMs;
/** Between questions to a database that does not answer. */
const troubleMs = secondMs;

export async function runWorkers(options: WorkersOptions, signal: AbortSignal): Promise<void> {
  const { slots } = options;
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    const work = await tryTake(options, signal);
    if (work === null) continue;
    slots.begin(work.queue);
    const done = tryWork(options, work).finally(() => {
      running.delete(done);
      slots.end(work.queue);
    });
    running.add(done);
  }
  await Promise.all(running);
}

async function tryTake(options: WorkersOptions, signal: AbortSignal): Promise<Work | null> {
  const { reconciler, queue, clock, log, wake, slots } = options;
  const open = slots.open();
  try {
    const work = open.length === 0 ? null : await reconciler.claimNext(open);
    if (work !== null) return work;
    const dueAt = open.length === 0 ? undefined : await queue.nextDue(open);
    const restMs = dueAt === undefined ? idleMsMax : Math.min(idleMsMax, Math.max(0, dueAt - clock.now()));
    // A limit or a faster clock holds back what is due: no reason to spin.
    await wake.wait(Math.max(restMs, restMsMin), signal);
  } catch (error) {
    log.error({ why: errorText(error) }, "the queue does not answer");
    await clock.sleep(troubleMs, signal);
  }
  return null;
}

const restMsMin = 20;

/** The reconciler handles failures of the work. Here only the queue can have failed, and the lease expires. */
async function tryWork({ log }: WorkersOptions, work: Work): Promise<void> {
  try {
    await work.run();
  } catch (error) {
    log.error({ why: errorText(error) }, "an entry could not be released");
  }
}
