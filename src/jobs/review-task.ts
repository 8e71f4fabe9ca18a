import { changeRecords } from "#act/turn.ts";
import { runSubject } from "#core/blocks/block.ts";
import type { Instant } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import type { Records, ReviewRun, RunState } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { stopIfLost } from "#jobs/end-job.ts";
import type { JobPlace } from "#jobs/job.ts";
import { hasPurse } from "#jobs/purse.ts";
import type { PullSeen } from "#ports/forge.ts";
import type { PullKey } from "#ports/pull-ref.ts";

/** One run that is being worked on. */
export interface ReviewTask {
  readonly place: JobPlace;
  readonly data: ReviewJobData;
  readonly key: PullKey;
  readonly run: ReviewRun;
  readonly rules: Rules;
  readonly seen: PullSeen;
  /** On this machine's clock, when the forge was asked. */
  readonly askedAt: Instant;
}

/** The run as it is recorded; undefined where it is not under way any more. */
export function findRunning(records: Records | undefined, run: ReviewRun): ReviewRun | undefined {
  const subject = runSubject(run);
  const known = records?.runs.find((one) => runSubject(one) === subject);
  return known?.state.kind === "running" ? known : undefined;
}

/**
 * Ends the run, if it is still under way then; whatever else follows from it changes with it or not at all. False: it was
 * not any more, and nothing of this was counted. A run that ends before anybody was asked has cost nothing, and says so:
 * what nobody knows the cost of counts against an outsider.
 */
export async function endRun(
  { place, key, run }: Pick<ReviewTask, "place" | "key" | "run">,
  ended: (records: Records) => { readonly state: RunState; readonly change?: Partial<Records> },
): Promise<boolean> {
  const isAsked = await hasPurse(place);
  stopIfLost(place);
  let isEnded = false;
  await changeRecords({ parts: place.parts, key }, (records) => {
    const known = findRunning(records, run);
    isEnded = known !== undefined;
    if (known === undefined) return records;
    const { state, change } = ended(records);
    const over = isAsked || state.kind === "completed" ? { ...known, state } : { ...known, state, droppedMicroUsd: 0 };
    return { ...records, ...change, runs: records.runs.map((one) => (one === known ? over : one)) };
  });
  return isEnded;
}
