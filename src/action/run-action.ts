import { type ActionInputs, readInputs } from "#action/inputs.ts";
import { summary } from "#action/summary.ts";
import { workflowCommand } from "#action/workflow-command.ts";
import { findTarget, type RunTarget } from "#app/run/run-target.ts";
import { startRun } from "#app/run/start-run.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { errorText } from "#core/error-text.ts";
import { type Finding } from "#core/model/finding.ts";
import { openFindings, outputLines, type RunReport } from "#core/plan/run-report.ts";

/** GitHub shows this many of each kind for a step. The summary has the rest. */
const shownMax = 10;

export function annotations(ending: RunReport): string {
  const open = openFindings(ending);
  // Failures are nowhere else on the page of the pull, while blockers are in the review as well.
  const untold = ending.troubles.slice(0, shownMax);
  const blockers = open.filter(({ isBlocking }) => isBlocking).slice(0, shownMax - untold.length);
  const others = open.filter(({ isBlocking }) => !isBlocking).slice(0, shownMax);
  return [
    ...untold.map((trouble) => workflowCommand("error", { title: "Drover" }, trouble)),
    ...blockers.map((finding) => annotation("error", finding)),
    ...others.map((finding) => annotation("warning", finding)),
  ].join("");
}

/** Lines of the old side are no longer in the file, so the annotation is on the whole file. */
function annotation(level: "error" | "warning", finding: Finding): string {
  const { path, side, lines, rule, message } = finding;
  const place = side === "new" ? { line: lines.first, endLine: lines.last } : {};
  return workflowCommand(level, { file: path, ...place, title: `Drover: ${rule}` }, message);
}

export interface Runner {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly readFile: (path: string) => Promise<string>;
  readonly appendFile: (path: string, text: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch | undefined;
}

export async function runAction(runner: Runner): Promise<number> {
  const read = readInputs(runner.env);
  const secrets = read.kind === "read" ? read.inputs.secrets : read.secrets;
  // Before anything else: from here on the runner masks them everywhere.
  for (const line of secrets.flatMap((secret) => secret.split(/\r?\n/)).filter((one) => one.trim() !== "")) {
    runner.out(workflowCommand("add-mask", {}, line));
  }
  if (read.kind === "wrong") return refuse(runner, read.problems);
  try {
    return await act(runner, read.inputs);
  } catch (error) {
    if (error instanceof StartError) return refuse(runner, [error.message]);
    return await breakDown(runner, error);
  }
}

/** A bug: later steps still get the outputs, and a person gets one line. */
async function breakDown(runner: Runner, error: unknown): Promise<number> {
  const { env, out, appendFile } = runner;
  await inQuotes(runner, async (tell) => tell(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  const words = errorText(error);
  out(workflowCommand("error", { title: "Drover" }, `the run broke down: ${words}`));
  const lines = outputLines({ tasks: [], hasBlockingFindings: false, verdict: "failed", costMicroUsd: 0 });
  const path = env["GITHUB_OUTPUT"] ?? "";
  // Writing that file may be what failed.
  if (path !== "") await appendFile(path, lines).catch(() => undefined);
  return 1;
}

function refuse({ out }: Runner, problems: readonly string[]): number {
  for (const problem of problems) out(workflowCommand("error", { title: "Drover" }, problem));
  return 2;
}

async function act(runner: Runner, inputs: ActionInputs): Promise<number> {
  const { out, readFile } = runner;
  const secret = inputs.secret === null ? {} : { DROVER_SECRET: inputs.secret };
  // Under both names: the runner may be one of Gitea.
  const tokens = { GITHUB_TOKEN: inputs.token, GITEA_TOKEN: inputs.token };
  const modelKey = inputs.openRouterKey === null ? {} : { OPENROUTER_API_KEY: inputs.openRouterKey };
  const env: Runner["env"] = { ...runner.env, ...tokens, ...secret, ...modelKey };
  for (const name of inputs.unused) {
    out(workflowCommand("notice", { title: "Drover" }, `the input ${name} is understood, but nothing uses it here`));
  }
  const asked = { repo: undefined, forge: undefined, apiUrl: env["GITHUB_API_URL"], event: undefined };
  const found = await findTarget(
    { ...asked, pull: inputs.pull ?? undefined, config: inputs.config },
    { env, readFile },
  );
  if (found.kind === "no_pull") {
    out(`${found.why}: nothing to do\n`);
    return 0;
  }
  const target = withApproval(found.target, inputs);
  if (target.isReadOnly) {
    const words =
      "this pull comes from a fork: the job may only read, so the review is shown here and nothing is posted or fixed";
    out(workflowCommand("notice", { title: "Drover" }, words));
  }
  const ending = await inQuotes(runner, async (tell) => {
    const { signal } = runner;
    const { rules, models, timeoutMs, triesMax, isAnew } = inputs;
    const searchPath = env["PATH"] ?? "";
    return await startRun({
      target,
      rules,
      models,
      budgets: inputs.config.budgets,
      timeoutMs,
      triesMax,
      isAnew,
      env,
      readFile,
      fetch: runner.fetch,
      searchPath,
      signal,
      tell,
      warn: tell,
      debug: inputs.isDebug ? tell : undefined,
    });
  });
  await report(runner, ending);
  return ending.exitCode;
}

/** Many repositories may share a configuration; the input is about this one. */
function withApproval(target: RunTarget, { approves }: ActionInputs): RunTarget {
  return approves === null ? target : { ...target, location: { ...target.location, approves } };
}

/** Lines quote what people wrote: between these two the runner obeys no command. */
async function inQuotes<Result>(
  { out }: Runner,
  work: (tell: (line: string) => void) => Promise<Result>,
): Promise<Result> {
  const token = createSystemRandom().token();
  out(workflowCommand("stop-commands", {}, token));
  try {
    return await work((line) => out(`${line}\n`));
  } finally {
    out(`::${token}::\n`);
  }
}

async function report({ env, out, appendFile }: Runner, ending: RunReport): Promise<void> {
  const files = [
    { path: env["GITHUB_OUTPUT"] ?? "", text: outputLines(ending) },
    { path: env["GITHUB_STEP_SUMMARY"] ?? "", text: summary(ending) },
  ];
  for (const { path, text } of files) if (path !== "") await appendFile(path, text);
  out(annotations(ending));
  out(`${ending.repository}#${ending.pull}: ${ending.verdict}\n`);
}
