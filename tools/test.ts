import { codeOfSignal } from "./child.ts";
import { createProgress, type Progress } from "./progress.ts";
import { parseTestArguments, type StepName, TEST_USAGE, type TestArguments } from "./test-arguments.ts";
import { countResults, type StepResult } from "./test-result.ts";
import { STEPS, type StepContext } from "./test-steps.ts";
import { leftToAll } from "./test-tiers.ts";
import { stepLine, summary } from "./test-words.ts";
import { readWorkTree } from "./work-tree.ts";

/** These only read, and use one processor each for most of their time. The others want the machine to themselves. */
const SIDE_BY_SIDE: ReadonlySet<StepName> = new Set(["format", "lint", "unused", "types"]);
const sideBySideMax = 2;

const parsed = parseTestArguments(process.argv.slice(2), process.env);
switch (parsed.kind) {
  case "help":
    console.log(TEST_USAGE);
    break;
  case "wrong":
    console.error(`${parsed.message}\n${TEST_USAGE}`);
    process.exitCode = 2;
    break;
  case "run":
    process.exitCode = await testAll(parsed.arguments);
    break;
}

async function testAll(options: TestArguments): Promise<number> {
  const root = process.cwd();
  // With --json, standard output holds the JSON and nothing else.
  const stream = options.isJson ? process.stderr : process.stdout;
  const progress = createProgress(stream);
  const context: StepContext = {
    root,
    isQuick: options.isQuick,
    filters: options.filters,
    output: options.isJson ? "stderr" : "stdout",
    treeBefore: await readWorkTree(root),
    signal: stopOnSignal(),
  };
  const results = await runSteps(options, context, progress);
  const totals = countResults(results, options);
  const left = options.isQuick && options.steps.includes("tests") ? leftToAll(root) : new Map<string, number>();
  if (options.isJson) {
    const told = { ...totals, left: Object.fromEntries(left), steps: results };
    process.stdout.write(`${JSON.stringify(told, undefined, 2)}\n`);
  }
  stream.write(`\n${summary(results, { ...options, left })}\n`);
  return totals.failed > 0 ? 1 : 0;
}

/** One failing step stops no other: whoever reads the output sees everything that is wrong. */
async function runSteps(
  options: TestArguments,
  context: StepContext,
  progress: Progress,
): Promise<readonly StepResult[]> {
  const results = new Map<StepName, StepResult>();
  const run = async (name: StepName) => {
    progress.begin(name, { isAloud: name === "tests" });
    const result = await runStep(name, context);
    const output = result.outcome.kind === "failed" ? `${result.outcome.output.trimEnd()}\n` : "";
    progress.end(name, `${stepLine(result, options)}\n${output}`);
    results.set(name, result);
  };
  const waiting = options.steps.filter((name) => SIDE_BY_SIDE.has(name));
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      await run(name);
    }
  };
  await Promise.all(Array.from({ length: sideBySideMax }, lane));
  for (const name of options.steps.filter((each) => !SIDE_BY_SIDE.has(each))) {
    await run(name);
  }
  return options.steps.flatMap((name) => results.get(name) ?? []);
}

async function runStep(name: StepName, context: StepContext): Promise<StepResult> {
  const startedAt = performance.now();
  // A step that breaks instead of failing must not take the others and the last line with it.
  const outcome = await STEPS[name](context).catch((error: unknown) => ({
    kind: "failed" as const,
    output: describe(error),
  }));
  return { name, seconds: Math.round(performance.now() - startedAt) / 1000, outcome };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Ends the children with us, whoever stops us. */
function stopOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      controller.abort();
      process.exit(codeOfSignal(signal));
    });
  }
  return controller.signal;
}
