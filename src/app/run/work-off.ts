import type { CountedQueue } from "#app/run/counted-queue.ts";
import { mergeabilityUnknown, ownWork } from "#app/run/own-work.ts";
import { formatInstant, type Instant } from "#core/model/instant.ts";
import type { Parts } from "#ports/parts.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import { queueNames } from "#ports/queue.ts";
import type { Crank } from "#reconcile/crank.ts";
import type { TickReport } from "#reconcile/tick.ts";

export interface WorkPlace {
  readonly parts: Pick<Parts, "clock" | "store" | "queue">;
  readonly crank: Pick<Crank, "take" | "handBack">;
  readonly retried: CountedQueue["retried"];
  readonly pull: PullKey;
  readonly report: () => TickReport | undefined;
  readonly triesMax: number;
  readonly deadline: Instant;
  /** Aborted when somebody wants the run to end. */
  readonly signal: AbortSignal;
  /** Told before a wait, with the reason. */
  readonly onWait: (why: string, ms: number) => void;
}

export type WorkEnd =
  /** Nothing is left that a run can do. */
  { readonly kind: "rest" } | { readonly kind: "out_of_time"; readonly why: string } | { readonly kind: "stopped" };

/** More turns than this for one pull are a bug, not work. */
const turnsMax = 500;
/** With looks half a minute apart, longer than a forge takes that does its work. */
const forgeWaitsMax = 4;

/** Turns the crank until nothing is due that is the run's own work, one thing after the other, the most urgent first. */
export async function workOff(place: WorkPlace): Promise<WorkEnd> {
  const { clock } = place.parts;
  const over = new AbortController();
  const ended = new AbortController();
  const end = (): void => over.abort();
  place.signal.addEventListener("abort", end);
  over.signal.addEventListener("abort", () => void place.crank.handBack());
  const timing = (async () => {
    await clock.sleep(place.deadline - clock.now(), ended.signal);
    if (!ended.signal.aborted) end();
  })();
  if (place.signal.aborted) end();
  try {
    return await turn(place, over.signal);
  } finally {
    place.signal.removeEventListener("abort", end);
    ended.abort();
    await timing;
  }
}

async function turn(place: WorkPlace, over: AbortSignal): Promise<WorkEnd> {
  const { parts, crank, deadline } = place;
  let patience = forgeWaitsMax;
  for (let turns = 0; turns < turnsMax; turns++) {
    if (over.aborted) return place.signal.aborted ? { kind: "stopped" } : outOfTime(deadline);
    const work = await crank.take();
    if (work !== null) {
      await work.run();
      continue;
    }
    const why = await reasonToWait(place);
    const due = why === null ? undefined : await parts.queue.nextDue(queueNames);
    if (why === mergeabilityUnknown) patience -= 1;
    if (why === null || due === undefined || patience < 0) return { kind: "rest" };
    if (due > deadline) return { kind: "out_of_time", why: `${why}, and not before ${formatInstant(due)}` };
    const ms = Math.max(0, due - parts.clock.now());
    place.onWait(why, ms);
    await parts.clock.sleep(ms, over);
  }
  return { kind: "out_of_time", why: `the work did not come to an end within ${turnsMax} turns` };
}

async function reasonToWait({ parts, pull, report, retried, triesMax }: WorkPlace): Promise<string | null> {
  const open = await parts.store.findOpenObligations(pull);
  return ownWork({ report: report(), retried: retried(), open, triesMax });
}

function outOfTime(deadline: Instant): WorkEnd {
  return { kind: "out_of_time", why: `the time for this run ended at ${formatInstant(deadline)}` };
}
