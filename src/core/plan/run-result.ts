import { unaskedGate } from "#core/derive/unasked.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Gate, Situation } from "#core/model/situation.ts";

export interface TaskDone {
  readonly kind: "dispute" | "question" | "review" | "fix" | "merge";
  readonly trigger: "automatic" | "manual";
  readonly result: "done" | "failed";
}

export type RunVerdict = "passed" | "blocked" | "unreviewed" | "failed" | "neutral" | "informational";

export interface RunResult {
  readonly exitCode: 0 | 1;
  readonly verdict: RunVerdict;
  readonly hasBlockingFindings: boolean;
}

/**
 * Follows the head's gate and not this run's work: a rerun must not turn a red check green. A review that a person
 * asked for is for information, unless the check is red for another reason.
 */
export function runResult(
  { seen, situation }: { readonly seen: Observation; readonly situation: Situation },
  tasks: readonly TaskDone[],
): RunResult {
  const hasBlockingFindings = situation.findings.blockers.length > 0;
  if (tasks.some((task) => task.result === "failed")) return { exitCode: 1, verdict: "failed", hasBlockingFindings };
  const reviews = tasks.filter((task) => task.kind === "review");
  const isAsked = reviews.length > 0 && reviews.every((task) => task.trigger === "manual");
  if (isAsked && isGreenUnasked(seen, situation)) return { exitCode: 0, verdict: "informational", hasBlockingFindings };
  const { automatic } = situation.review;
  const isClosed = automatic.kind === "not_wanted" && automatic.why === "closed";
  if (isClosed && situation.gate.state !== "success") return { exitCode: 0, verdict: "neutral", hasBlockingFindings };
  return { ...byGate(situation.gate), hasBlockingFindings };
}

function isGreenUnasked(seen: Observation, { gate }: Situation): boolean {
  return gate.state === "success" || byGate(unaskedGate(seen)).exitCode === 0;
}

/** A draft has nothing to gate yet, nor has a closed pull; every other head that Drover did not read is not green. */
function byGate(gate: Gate): { readonly exitCode: 0 | 1; readonly verdict: RunVerdict } {
  if (gate.state === "success") return { exitCode: 0, verdict: "passed" };
  if (gate.state === "neutral") return { exitCode: 0, verdict: "neutral" };
  if (gate.state === "failure") return { exitCode: 1, verdict: gate.why === "given_up" ? "failed" : "blocked" };
  return gate.why === "draft" ? { exitCode: 0, verdict: "unreviewed" } : { exitCode: 1, verdict: "unreviewed" };
}
