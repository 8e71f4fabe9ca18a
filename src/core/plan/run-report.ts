import type { Finding } from "#core/model/finding.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { type RunResult, runResult } from "#core/plan/run-result.ts";
import type { RunTask } from "#core/plan/run-tasks.ts";
import { conditionWords, turnWords } from "#core/words/condition-words.ts";
import type { ForgeCost } from "#core/words/forge-cost-words.ts";

export interface RunReport extends RunResult {
  readonly repository: string;
  readonly pull: number;
  readonly tasks: readonly RunTask[];
  readonly troubles: readonly string[];
  readonly costMicroUsd: number;
  readonly forgeCost?: ForgeCost | undefined;
  readonly isReadOnly: boolean;
  readonly last: { readonly seen: Observation; readonly situation: Situation } | null;
}

/** A run that could not do something has failed, whatever the gate says. */
export function runReport(
  { repository, pull, isReadOnly, tasks, troubles }: Omit<RunReport, keyof RunResult | "costMicroUsd" | "last">,
  { first, last }: { readonly first: Observation | undefined; readonly last: RunReport["last"] | undefined },
): RunReport {
  const run = { repository, pull, isReadOnly, tasks, troubles };
  if (last === undefined || last === null) return { ...run, ...failedResult, costMicroUsd: 0, last: null };
  const { seen, situation } = last;
  const result = runResult({ seen, situation }, tasks);
  return {
    ...run,
    ...(troubles.length > 0 ? { ...result, exitCode: 1, verdict: "failed" } : result),
    costMicroUsd: seen.records.spentMicroUsd - (first?.records.spentMicroUsd ?? 0),
    last: { seen, situation },
  };
}

const failedResult: RunResult = { exitCode: 1, verdict: "failed", hasBlockingFindings: false };

export function endingFacts(ending: RunReport): object {
  const { repository, pull, last } = ending;
  return {
    repository,
    pull,
    head: last?.seen.pull.head.sha ?? null,
    exit_code: ending.exitCode,
    ...outputsOf(ending),
    forge_cost: forgeCostFacts(ending.forgeCost),
    is_read_only: ending.isReadOnly,
    tasks: ending.tasks,
    troubles: ending.troubles,
    findings: openFindings(ending).map(findingFacts),
    flight_plan: last === null ? null : flightPlanFacts(last.situation),
  };
}

function forgeCostFacts(cost: ForgeCost | undefined): object | null {
  if (cost === undefined) return null;
  const { requests, points, budget } = cost;
  const left = budget === null ? null : { left: budget.left, limit: budget.limit };
  return { requests, points, ...left };
}

type Put = Pick<RunReport, "tasks" | "hasBlockingFindings" | "verdict" | "costMicroUsd">;

export function outputsOf(ending: Put): {
  readonly tasks_executed: number;
  readonly has_blocking_issues: boolean;
  readonly verdict: string;
  readonly cost: string;
} {
  return {
    tasks_executed: ending.tasks.length,
    has_blocking_issues: ending.hasBlockingFindings,
    verdict: ending.verdict,
    cost: (ending.costMicroUsd / 1_000_000).toFixed(6),
  };
}

export function outputLines(ending: Put): string {
  return Object.entries(outputsOf(ending))
    .map(([name, value]) => `${name}=${String(value)}\n`)
    .join("");
}

export function openFindings({ last }: Pick<RunReport, "last">): readonly Finding[] {
  return last?.situation.findings.open ?? [];
}

function findingFacts({ path, side, lines, rule, role, score, isBlocking, message }: Finding): object {
  return { path, side, lines, rule, role, score, is_blocking: isBlocking, message };
}

function flightPlanFacts({ flightPlan }: Situation): object {
  const conditions = flightPlan.conditions.map((condition) => ({
    ...conditionWords(condition),
    kind: condition.kind,
    is_met: condition.isMet,
    turn: condition.turn,
  }));
  return { turn: turnWords[flightPlan.turn], conditions };
}
