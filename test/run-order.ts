import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Where tests start programs: git above all, and Drover itself. Node starts a program by a copy of its own page tables,
 * which takes a processor a millisecond in a young process and thirty in one of a gigabyte, as a worker becomes one when
 * it has gone through the tests of databases. So these come first, while the workers are small. The slowest come before
 * the others.
 */
const startingPrograms: readonly string[] = [
  "test/processes/",
  "test/action/",
  "test/run/",
  "test/contract/git/",
  "test/contract/git-host/",
  "test/contract/diff/",
  "test/review/",
  "test/eval/",
  "test/jobs/",
  "test/partners/",
  "src/git/",
  "src/sessions/",
  "src/cli/",
  "tools/",
];

/** What takes long by itself, some of it on a real server only, would leave the other workers without work if it began last. */
const takingLong: readonly string[] = [
  "test/simulation/simulation.test.ts",
  "test/scenarios/batches-and-crashes.test.ts",
  "test/scenarios/workers-die-publishing.test.ts",
  "src/reviewers/model/model-reviewer-obedient.test.ts",
  "test/contract/forge/write-trouble.test.ts",
  "test/contract/forge/read-trouble.test.ts",
  "test/contract/forge/reviews.test.ts",
  "test/contract/forge/conversation.test.ts",
  "test/contract/forge/digests.test.ts",
];

/** Folders and files, the first to run at the front; all others follow them. */
export const runFirst: readonly string[] = [...startingPrograms, ...takingLong];

/** The order of the files of a run, whatever their project. Vitest wants a class. */
export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const { root } = this.ctx.config;
    return sorted.toSorted((left, right) => rankOf(root, left) - rankOf(root, right));
  }
}

function rankOf(root: string, { moduleId }: TestSpecification): number {
  return runRank(relative(root, moduleId));
}

/** Files of a lower rank come before those of a higher one. */
export function runRank(path: string): number {
  const found = runFirst.findIndex((start) => path.startsWith(start));
  return found === -1 ? runFirst.length : found;
}
