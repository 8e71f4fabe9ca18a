import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun } from "#core/model/records.ts";
import type { AutomaticReview, Heads, ManualRequest, RunToCancel } from "#core/model/situation.ts";

interface Context {
  readonly heads: Heads;
  readonly automatic: AutomaticReview;
  readonly wanted: readonly ManualRequest[];
}

export function cancelledRuns(seen: Observation, context: Context): readonly RunToCancel[] {
  return seen.records.runs.flatMap((run) => {
    const why = run.state.kind === "running" ? cancelReason(seen, context, run) : null;
    return why === null ? [] : [{ run, why }];
  });
}

function cancelReason(seen: Observation, context: Context, run: ReviewRun): RunToCancel["why"] | null {
  const { sha, baseBranch } = context.heads.current;
  if (seen.pull.state !== "open") return "closed";
  if (run.head !== sha || run.baseBranch !== baseBranch) return "newer_head";
  if (!seen.rules.reviews.roles.some((role) => role.name === run.role)) return "role_removed";
  const { trigger } = run;
  if (trigger.kind === "manual") {
    return context.wanted.some((request) => request.comment === trigger.comment) ? null : "command";
  }
  const { automatic } = context;
  // A pull that became a draft is read to the end: what was paid for is worth having.
  if (automatic.kind === "wanted" || automatic.why === "draft") return null;
  return automatic.why === "suppressed" ? "suppression" : "command";
}
