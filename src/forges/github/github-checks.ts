import type { Check } from "#core/model/conversation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { readGateCheckRun, readGateStatus } from "#forges/github/github-gate.ts";
import type { GithubIdentity } from "#forges/github/github-identity.ts";
import { readActor } from "#forges/github/github-map.ts";
import type { CheckRunNode, ContextNode, StatusNode } from "#forges/github/github-schema.ts";
import { type FetchedPull, usualGateName } from "#ports/forge.ts";

export function readChecks(
  contexts: readonly ContextNode[],
  { head, identity }: { readonly head: HeadSha; readonly identity: GithubIdentity },
): Pick<FetchedPull, "checks" | "gate"> {
  const ownRuns: CheckRunNode[] = [];
  let ownStatus: StatusNode | undefined;
  const checks: Check[] = [];
  for (const context of contexts) {
    if (context.type === "CheckRun") {
      if (isOwnRun(context, identity)) ownRuns.push(context);
      else if (!isOwnJob(context, identity)) checks.push(readRun(context, head));
    } else if (isOwnStatus(context, identity)) ownStatus = context;
    else checks.push(readStatus(context, head));
  }
  const ownRun = latestOf(ownRuns);
  if (ownRun !== undefined) return { checks, gate: readGateCheckRun(ownRun, head) };
  return { checks, gate: ownStatus === undefined ? null : readGateStatus(ownStatus, head) };
}

/** GitHub keeps every run of a name, in no promised order; of one second the last that is listed counts. */
function latestOf(runs: readonly CheckRunNode[]): CheckRunNode | undefined {
  return runs.toSorted((left, right) => (left.startedAt ?? 0) - (right.startedAt ?? 0)).at(-1);
}

function isOwnRun({ name, checkSuite }: CheckRunNode, { appId, gateName = usualGateName }: GithubIdentity): boolean {
  return name === gateName && appId !== null && checkSuite.app?.databaseId === appId;
}

/** Of this run and earlier ones. Without a visible workflow nothing is left out: another one may have a job of that name. */
function isOwnJob({ name, checkSuite }: CheckRunNode, { job }: GithubIdentity): boolean {
  if (job === undefined || checkSuite.app?.slug !== actionsSlug) return false;
  return name === job.id && checkSuite.workflowRun?.workflow.name === job.workflow;
}

function isOwnStatus({ context, creator }: StatusNode, { bot, gateName = usualGateName }: GithubIdentity): boolean {
  return context === gateName && creator !== null && readActor(creator).id === bot.id;
}

/** Two workflows may share a job's name. Without visible workflows each suite is one, so that none hides a failure. */
function readRun(run: CheckRunNode, head: HeadSha): Check {
  const { id, app, workflowRun } = run.checkSuite;
  const by = app?.slug ?? "";
  const unnamed = by === actionsSlug ? `${by}: ${id}` : by;
  const source = workflowRun === null ? unnamed : `${by}: ${workflowRun.workflow.name} (${workflowRun.event})`;
  const state = run.status === "COMPLETED" ? (conclusions.get(run.conclusion ?? "") ?? "pending") : "pending";
  return { name: run.name, source, head, state, startedAt: run.startedAt };
}

const actionsSlug = "github-actions";

/** Stale and unknown conclusions are awaited. */
const conclusions: ReadonlyMap<string, Check["state"]> = new Map([
  ["SUCCESS", "passed"],
  ["NEUTRAL", "passed"],
  ["SKIPPED", "passed"],
  ["FAILURE", "failed"],
  ["TIMED_OUT", "failed"],
  ["CANCELLED", "failed"],
  ["ACTION_REQUIRED", "failed"],
  ["STARTUP_FAILURE", "failed"],
]);

const statusStates: ReadonlyMap<string, Check["state"]> = new Map([
  ["SUCCESS", "passed"],
  ["FAILURE", "failed"],
  ["ERROR", "failed"],
]);

function readStatus(status: StatusNode, head: HeadSha): Check {
  const state = statusStates.get(status.state) ?? "pending";
  const source = readActor(status.creator).login;
  return { name: status.context, source, head, state, startedAt: status.createdAt };
}
