import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun, ReviewTrigger } from "#core/model/records.ts";
import type { Heads, RoleSituation, RunToStart } from "#core/model/situation.ts";

export function runsToStart(
  seen: Observation,
  context: {
    readonly heads: Heads;
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

/** Per role and base branch, and only runs that read something: else a new role or base finds all of it "unchanged". */
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
