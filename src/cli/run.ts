import { appendFile } from "node:fs/promises";
import { findTarget, type TargetAsked } from "#app/run/run-target.ts";
import { startRun } from "#app/run/start-run.ts";
import { readDuration } from "#cli/read-duration.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { type Terminal, toUsageError } from "#cli/terminal.ts";
import { Rules } from "#core/model/rules.ts";
import { endingFacts, openFindings, outputLines, type RunReport } from "#core/plan/run-report.ts";
import { forgeCostWords } from "#core/words/forge-cost-words.ts";

export interface RunCall extends Omit<TargetAsked, "config"> {
  readonly config?: string | undefined;
  readonly timeout: string;
  readonly anew?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const triesMax = 4;

export async function run(call: RunCall, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const timeoutMs = readDuration("--timeout", call.timeout);
  const config = await readRunFile(call.config, terminal);
  const { env, readFile, searchPath } = terminal;
  try {
    const found = await findTarget({ ...call, config }, { env, readFile });
    if (found.kind === "no_pull") {
      terminal.out(
        call.json === true
          ? `${JSON.stringify({ verdict: "nothing", why: found.why })}\n`
          : `${found.why}: nothing to do\n`,
      );
      return 0;
    }
    const { target } = found;
    const tell = (line: string): void => (call.json === true ? terminal.err : terminal.out)(`${line}\n`);
    if (target.isReadOnly) tell("This pull comes from a fork. Drover only reads it, and posts and fixes nothing.");
    const ending = await startRun({
      target,
      rules: config?.rules ?? Rules.parse({}),
      models: config ?? { models: {}, prices: {}, conversationModel: undefined },
      budgets: config?.budgets,
      isAnew: call.anew === true,
      timeoutMs,
      triesMax,
      env,
      readFile,
      searchPath,
      signal,
      clock: terminal.clock,
      fetch: terminal.fetch,
      tell,
      warn: (line) => terminal.err(`warning: ${line}\n`),
    });
    await writeOutputs(env["GITHUB_OUTPUT"], ending);
    terminal.out(call.json === true ? `${JSON.stringify(endingFacts(ending), null, 2)}\n` : endingPage(ending));
    return ending.exitCode;
  } catch (error) {
    throw toUsageError(error);
  }
}

/** A step of a workflow can call the command line as well as the Action. */
async function writeOutputs(path: string | undefined, ending: RunReport): Promise<void> {
  if (path !== undefined && path !== "") await appendFile(path, outputLines(ending));
}

function endingPage(ending: RunReport): string {
  const { repository, pull, verdict, tasks, troubles, forgeCost } = ending;
  // A pull that could not even be read may have had a lot to be done.
  const none = troubles.length === 0 ? ["nothing was to be done"] : [];
  const done = tasks.map(({ kind, subject, trigger, result, why }) => {
    return `  ${kind} (${subject}, ${trigger}): ${result}${why === null ? "" : `: ${why}`}`;
  });
  const findings = openFindings(ending).map(({ path, lines, message, isBlocking, rule }) => {
    return `  ${isBlocking ? "blocking" : "problem "} ${path}:${lines.first} ${message.replace(/\s+/g, " ")} (${rule})`;
  });
  return [
    "",
    `${repository}#${pull}: ${verdict}`,
    ...(done.length === 0 ? none : ["tasks:", ...done]),
    ...(findings.length === 0 ? [] : ["findings:", ...findings]),
    ...(troubles.length === 0 ? [] : ["could not be done:", ...troubles.map((trouble) => `  ${trouble}`)]),
    ...(forgeCost === undefined ? [] : [forgeCostWords(forgeCost)]),
    "",
  ].join("\n");
}
