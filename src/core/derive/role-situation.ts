import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun } from "#core/model/records.ts";
import type { RoleSituation } from "#core/model/situation.ts";
import { isComplete } from "#core/review/coverage.ts";

/** A completed run outlives a later one that runs or failed, and a full read a later partial one. */
export function roleSituation(seen: Observation, role: string, runs: readonly ReviewRun[]): RoleSituation {
  const own = runs.filter((run) => run.role === role);
  const looks = own.flatMap((run) => (run.state.kind === "completed" && isKnown(seen, run.state) ? [run] : []));
  const last = looks.at(-1);
  if (last?.state.kind === "completed") {
    const coverages = looks.flatMap(({ state }) => (state.kind === "completed" ? [state.coverage] : []));
    return { role, kind: "completed", run: last, coverage: coverages.findLast(isComplete) ?? last.state.coverage };
  }
  const running = own.findLast((run) => run.state.kind === "running");
  if (running !== undefined) return { role, kind: "running", run: running };
  const failed = own.at(-1);
  if (failed?.state.kind !== "failed") return { role, kind: "unreviewed" };
  const { attempts, why, retryAt } = failed.state;
  if (attempts >= seen.rules.reviews.attemptsMax) return { role, kind: "given_up", why, trigger: failed.trigger };
  return retryAt > seen.observedAt ? { role, kind: "retrying", at: retryAt, why } : { role, kind: "unreviewed" };
}

/** A look whose findings were lost is no look: it would turn green what it had found red. */
function isKnown(
  seen: Observation,
  { findings }: Extract<ReviewRun["state"], { readonly kind: "completed" }>,
): boolean {
  if (findings.length === 0) return true;
  const known = new Set(seen.records.findings.map(({ id }) => id));
  return findings.every((id) => known.has(id));
}
