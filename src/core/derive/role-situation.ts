import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun } from "#core/model/records.ts";
import type { RoleSituation } from "#core/model/situation.ts";

/**
 * What a role has to show among some runs, which are in order of time; a completed look outlives a later one that is under
 * way or came to nothing.
 */
export function roleSituation(seen: Observation, role: string, runs: readonly ReviewRun[]): RoleSituation {
  const own = runs.filter((run) => run.role === role);
  const completed = own.findLast((run) => isWhole(seen, run));
  if (completed?.state.kind === "completed") {
    return { role, kind: "completed", run: completed, coverage: completed.state.coverage };
  }
  const running = own.findLast((run) => run.state.kind === "running");
  if (running !== undefined) return { role, kind: "running", run: running };
  const last = own.at(-1);
  if (last?.state.kind !== "failed") return { role, kind: "unreviewed" };
  const { attempts, why, retryAt } = last.state;
  if (attempts >= seen.rules.reviews.attemptsMax) return { role, kind: "given_up", why, trigger: last.trigger };
  return retryAt > seen.observedAt ? { role, kind: "retrying", at: retryAt, why } : { role, kind: "unreviewed" };
}

/**
 * Completed, and everything it found is still known. A look whose findings were lost is no look: taken as one, it would
 * turn green what it had found red.
 */
function isWhole(seen: Observation, run: ReviewRun): boolean {
  if (run.state.kind !== "completed") return false;
  if (run.state.findings.length === 0) return true;
  const known = new Set(seen.records.findings.map(({ id }) => id));
  return run.state.findings.every((id) => known.has(id));
}
