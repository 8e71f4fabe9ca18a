import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { bundleDrover } from "./bundle-drover.ts";
import { type ChildOutput, runNode } from "./child.ts";
import { type StepName, vitestArguments } from "./test-arguments.ts";
import type { StepOutcome } from "./test-result.ts";
import { REPORT_VARIABLE, readVitestReport } from "./vitest-report.ts";
import { changesBetween, gitFreeEnvironment, readWorkTree, type WorkTree } from "./work-tree.ts";

export interface StepContext {
  readonly root: string;
  readonly isQuick: boolean;
  readonly filters: readonly string[];
  /** Where the live output of the tests goes. */
  readonly output: ChildOutput;
  /** The work tree as it was before the first step. */
  readonly treeBefore: WorkTree;
  readonly signal: AbortSignal;
}

export type Step = (context: StepContext) => Promise<StepOutcome>;

/** What each step of `npm test` does. */
export const STEPS: Readonly<Record<StepName, Step>> = {
  format: (context) => check(context, "@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]),
  lint: (context) => check(context, "oxlint/bin/oxlint", ["--deny-warnings"]),
  unused: (context) => check(context, "knip/bin/knip.js", ["--no-progress", "--no-config-hints"]),
  types: (context) => check(context, "typescript/bin/tsc", ["--noEmit"]),
  tests: runTests,
  build: runBuild,
  tree: compareTree,
};

async function check(context: StepContext, tool: string, args: readonly string[]): Promise<StepOutcome> {
  const script = join(context.root, "node_modules", tool);
  const end = await runNode({ script, args, output: "keep", signal: context.signal });
  return end.code === 0 ? { kind: "passed" } : { kind: "failed", output: end.output };
}

/** The map, unit, property, scenario and contract tests and the simulation on some seeds, all in one run. */
async function runTests(context: StepContext): Promise<StepOutcome> {
  const cache = join(context.root, "node_modules/.cache/drover");
  const reportFile = join(cache, `vitest-${process.pid}.json`);
  await mkdir(cache, { recursive: true });
  const end = await runNode({
    script: join(context.root, "node_modules/vitest/vitest.mjs"),
    args: [...vitestArguments(context), "--reporter=default", "--reporter=./tools/vitest-reporter.ts"],
    output: context.output,
    env: { ...gitFreeEnvironment(), [REPORT_VARIABLE]: reportFile },
    signal: context.signal,
  });
  const text = await readFile(reportFile, "utf8").catch(() => "");
  await rm(reportFile, { force: true });
  return { kind: "tested", report: readVitestReport({ text, exitCode: end.code, root: context.root }) };
}

async function runBuild(context: StepContext): Promise<StepOutcome> {
  const outcome = await bundleDrover({ root: context.root, when: "always" });
  return outcome.kind === "failed" ? { kind: "failed", output: outcome.why } : { kind: "passed" };
}

/** The run must leave the checkout as it found it: no snapshots written, nothing generated out of date. */
async function compareTree(context: StepContext): Promise<StepOutcome> {
  const before = context.treeBefore;
  const after = await readWorkTree(context.root);
  if (before.kind === "no_checkout" || after.kind === "no_checkout") {
    return { kind: "not_applicable", why: "this is not a git checkout" };
  }
  if (before.kind === "unreadable" || after.kind === "unreadable") {
    const why = [before, after].map((tree) => (tree.kind === "unreadable" ? tree.why : "")).filter(Boolean);
    return { kind: "failed", output: why.join("\n") };
  }
  const changes = changesBetween(before.entries, after.entries);
  return changes.length === 0
    ? { kind: "passed" }
    : { kind: "failed", output: `changed while the run lasted:\n${changes.map((path) => `  ${path}`).join("\n")}` };
}
