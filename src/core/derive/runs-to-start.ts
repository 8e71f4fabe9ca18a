import type { Heads, RoleSituation, RunToStart } from "#core/decision/situation.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun, ReviewTrigger } from "#core/model/records.ts";

/** The looks that are to begin now, one for each role that has nothing to show yet. */
export function runsToStart(
  seen: Observation,
  context: {
    readonly heads: Heads;
    /** At the current head, in order of time. */
    readonly runs: readonly ReviewRun[];
    readonly roles: readonly RoleSituation[];
    readonly trigger: ReviewTrigger;
  },
): readonly RunToStart[] {
  const { heads, runs, roles, trigger } = context;
  return roles
    .filter(({ kind }) => kind === "unreviewed")
    .map(({ role }) => ({
      role,
      trigger,
      why: trigger.kind === "manual" ? "requested" : startReason(runs, role),
      round: roundOf(seen, heads, role),
      attempt: attemptOf(runs, role, trigger),
      follows: runs.findLast((run) => run.role === role)?.startedAt ?? null,
    }));
}

function startReason(runs: readonly ReviewRun[], role: string): RunToStart["why"] {
  const last = runs.findLast((run) => run.role === role);
  if (last === undefined) return "new_head";
  return last.state.kind === "failed" ? "retried" : "restarted";
}

/**
 * After round one only changed code may bring new blockers. Rounds are counted for each role and base branch, and only
 * runs that have read something count. Otherwise a role that was added later, or a pull with a new base branch, would
 * find everything "unchanged" that was never read. Files that a run left unread count as changed in the next one.
 */
function roundOf(seen: Observation, heads: Heads, role: string): number {
  const { sha, baseBranch } = heads.current;
  let last = 0;
  for (const run of seen.records.runs) {
    if (run.role !== role || run.baseBranch !== baseBranch || run.head === sha) continue;
    if (run.state.kind === "completed" && run.state.coverage.filesRead > 0) last = Math.max(last, run.round);
  }
  return last + 1;
}

function attemptOf(runs: readonly ReviewRun[], role: string, trigger: ReviewTrigger): number {
  const isSame = (run: ReviewRun): boolean =>
    run.role === role && JSON.stringify(run.trigger) === JSON.stringify(trigger) && run.state.kind === "failed";
  const failed = runs.findLast(isSame);
  return failed?.state.kind === "failed" ? failed.state.attempts + 1 : 1;
}
