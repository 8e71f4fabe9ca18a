import type { Records, ReviewRun } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { isPaidRole } from "#core/review/paid-role.ts";

export type RunIdentity = Pick<ReviewRun, "head" | "baseBranch" | "role" | "trigger">;

export function isSameRun(run: RunIdentity, other: RunIdentity): boolean {
  const isSamePlace = run.head === other.head && run.baseBranch === other.baseBranch && run.role === other.role;
  return isSamePlace && JSON.stringify(run.trigger) === JSON.stringify(other.trigger);
}

export function findRun(runs: readonly ReviewRun[], name: RunIdentity): ReviewRun | undefined {
  return runs
    .filter((run) => isSameRun(run, name))
    .toSorted((left, right) => left.startedAt - right.startedAt)
    .at(-1);
}

/** Replaces the run that it restarts, unless that one may have been paid for: each paid start must be counted. */
export function recordRunStarted(records: Records, run: ReviewRun, { reviews }: Pick<Rules, "reviews">): Records {
  const isPaid = reviews.roles.some((role) => role.name === run.role && isPaidRole(role));
  const kept = records.runs.filter((one) => !isSameRun(one, run) || (isPaid && mayHaveCost(one)));
  return { ...records, runs: [...kept, run] };
}

function mayHaveCost({ state, droppedMicroUsd }: ReviewRun): boolean {
  return (state.kind === "failed" || state.kind === "cancelled") && droppedMicroUsd !== 0;
}
