import { secondMs } from "#core/model/instant.ts";
import type { Parts } from "#ports/parts.ts";
import { queueNames } from "#ports/queue.ts";
import type { Crank } from "#reconcile/crank.ts";
import type { Wake } from "#reconcile/wake.ts";

export interface WorkersPlace extends Pick<Parts, "queue" | "clock" | "log"> {
  readonly crank: Pick<Crank, "take">;
  /** Rung when something may have become due. */
  readonly wake: Wake;
  /** How many entries are dealt with at the same time. */
  readonly countMax: number;
}

/** Notices can get lost, so nobody sleeps for longer: this is what a lost one costs. */
const idleMsMax = 5 * secondMs;
/** Between questions to a database that does not answer. */
const troubleMs = secondMs;

/** Takes what is due and deals with it, several at a time, until the signal is aborted and all of it has ended. */
export async function runWorkers(place: WorkersPlace, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  let onEnded: (() => void) | null = null;
  while (!signal.aborted) {
    if (running.size >= place.countMax) {
      await untilCalled(signal, (call) => {
        onEnded = call;
      });
      continue;
    }
    const work = await tryTake(place, signal);
    if (work === null) continue;
    const done = tryWork(place, work).finally(() => {
      running.delete(done);
      onEnded?.();
    });
    running.add(done);
  }
  await Promise.all(running);
}

/** Null after a rest, when nothing was due. */
async function tryTake(place: WorkersPlace, signal: AbortSignal): Promise<(() => Promise<void>) | null> {
  const { crank, queue, clock, log, wake } = place;
  try {
    const work = await crank.take();
    if (work !== null) return work;
    const dueAt = await queue.nextDue(queueNames);
    const restMs = dueAt === undefined ? idleMsMax : Math.min(idleMsMax, Math.max(0, dueAt - clock.now()));
    // Something that is due and was not given is held back by a limit, or by a clock ahead of ours: no reason to spin.
    await wake.wait(Math.max(restMs, restMsMin), signal);
  } catch (error) {
    log.error({ why: error instanceof Error ? error.message : String(error) }, "the queue does not answer");
    await clock.sleep(troubleMs, signal);
  }
  return null;
}

const restMsMin = 20;

/** What failed for good was set aside by the crank; here only the queue itself can have failed, and the lease runs out. */
async function tryWork({ log }: WorkersPlace, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ why: error instanceof Error ? error.message : String(error) }, "an entry could not be given back");
  }
}

/**
 * Or the signal is aborted. Nothing stays behind: the signal lives as long as the server, and some work for hours, so that
 * a race between them would grow with every turn.
 */
async function untilCalled(signal: AbortSignal, handOut: (call: () => void) => void): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    handOut(end);
  });
}
