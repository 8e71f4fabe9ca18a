import { type ActionInputs, readInputs } from "#action/inputs.ts";
import { findTarget, type RunTarget } from "#app/run/run-target.ts";
import { startRun } from "#app/run/start-run.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { errorText } from "#core/error-text.ts";
import type { Finding } from "#core/model/finding.ts";
import { openFindings, outputLines, outputsOf, type RunReport } from "#core/plan/run-report.ts";
import { forgeCostWords } from "#core/words/cost-words.ts";
import { counted } from "#core/words/counted.ts";
import { findingLine } from "#core/words/finding-words.ts";
import { flightPlanText } from "#core/words/flight-plan-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain-text.ts";

const lineCharactersMax = 500;
const findingsMax = 200;

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

/** Such as `::error file=a.ts,line=3::words`. Escaped: a line break in a message would start a command of its own. */
export function workflowCommand(
  name: "error" | "warning" | "notice" | "add-mask" | "stop-commands",
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const listed = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeProperty(String(value))}`],
  );
  const head = listed.length === 0 ? name : `${name} ${listed.join(",")}`;
  return `::${head}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const readOnlyWords =
  "This pull comes from a fork, so the job may only read: nothing was posted and nothing is fixed. What the review says is here.";

export function summary(ending: RunReport): string {
  const { last, repository, pull, verdict, tasks, troubles, forgeCost } = ending;
  const findings = openFindings(ending);
  const shown = findings
    .slice(0, findingsMax)
    .map((finding) => `- ${finding.isBlocking ? "❌" : "⚠️"} ${findingLine(finding)}`);
  const rest = findings.length > findingsMax ? [`- and ${findings.length - findingsMax} more`] : [];
  const sections = [
    `## Drover: ${verdict}`,
    `${codeSpan(`${repository}#${pull}`)} · ${counted(tasks.length, "task", "tasks")} · $${outputsOf(ending).cost}${forgeCost === undefined ? "" : ` · ${forgeCostWords(forgeCost)}`}`,
    ...(ending.isReadOnly ? [readOnlyWords] : []),
    ...(last === null ? [] : ["### Flight plan", flightPlanText(last.seen, last.situation)]),
    ...(findings.length === 0 ? [] : ["### Findings", [...shown, ...rest].join("\n")]),
    ...(tasks.length === 0 ? [] : ["### Tasks", tasks.map(taskLine).join("\n")]),
    ...(troubles.length === 0 ? [] : ["### Could not be done", troubles.map((line) => `- ${plain(line)}`).join("\n")]),
  ];
  return `${outgoing(sections.join("\n\n"), last?.seen.rules.handle ?? "@drover")}\n`;
}

function taskLine({ kind, subject, trigger, result, why }: RunReport["tasks"][number]): string {
  return `- ${kind} (${plain(subject)}, ${trigger}): ${result}${why === null ? "" : `: ${plain(why)}`}`;
}

function plain(text: string): string {
  return plainLine(text, lineCharactersMax);
}
