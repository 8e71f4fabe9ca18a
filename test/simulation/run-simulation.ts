import { corpus } from "./corpus.ts";
import { addCounts, noCounts } from "./figures.ts";
import { runSeed } from "./run-seed.ts";
import { runThreads } from "./run-threads.ts";
import { readScene, type Scene } from "./scenes.ts";
import { shrink } from "./shrink.ts";
import { type Summary, summaryLines, unmetBoundaries, unseenSights } from "./summary.ts";

export interface SimulationOptions {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly trace: boolean;
  readonly json?: boolean;
  /** Absent: as each seed draws it. */
  readonly scene?: string;
  /** 1 runs everything in this thread. */
  readonly threads?: number;
  readonly print: (line: string) => void;
}

/** Below this many seeds chance may well leave something out. */
const seedsForSometimes = 4_000;
const seedsForBoundaries = 20_000;
const shrunkMax = 3;
const reportEveryMs = 20_000;

/** Many lives of a pull, each from its seed; those that once failed come first. */
export async function runSimulation(options: SimulationOptions): Promise<{ readonly failed: number }> {
  const scene = options.scene === undefined ? undefined : readScene(options.scene);
  if (options.trace) return await traceSeed(options, scene);
  const { seeds, firstSeed, print, threads = 2 } = options;
  const all = [...corpus.map(({ seed }) => seed), ...Array.from({ length: seeds }, (_, index) => firstSeed + index)];
  if (options.json !== true) print(`seeds ${firstSeed} to ${firstSeed + seeds - 1}, after those of the corpus`);
  const startedAt = performance.now();
  const counts = noCounts();
  const failures: { readonly seed: number; readonly problem: string }[] = [];
  let done = 0;
  let reportedAt = startedAt;
  await runThreads({
    seeds: all,
    threads,
    scene,
    onResult: (result) => {
      addCounts(counts, result.counts);
      failures.push(...result.failures);
      done += result.seeds;
      if (options.json !== true) {
        for (const { seed, problem } of result.failures) print(`seed ${seed} fails: ${problem.slice(0, problemMax)}`);
      }
      if (options.json === true || performance.now() - reportedAt < reportEveryMs) return;
      reportedAt = performance.now();
      print(`${done} of ${all.length} seeds, ${failures.length} failed`);
    },
  });
  const summary: Summary = {
    firstSeed,
    seeds: done,
    failures,
    counts,
    realMs: performance.now() - startedAt,
    unseen: seeds >= seedsForSometimes ? unseenSights(counts) : [],
    unmet: seeds >= seedsForBoundaries ? unmetBoundaries(counts) : [],
  };
  if (options.json === true) print(JSON.stringify(summary));
  else {
    for (const { seed } of failures.slice(0, shrunkMax)) await tellStory({ seed, scene, print });
    for (const { seed, problem } of failures.slice(shrunkMax)) print(`seed ${seed}: ${problem.slice(0, problemMax)}`);
    for (const line of summaryLines(summary)) print(line);
  }
  return { failed: failures.length + summary.unseen.length + summary.unmet.length };
}

async function traceSeed(
  { firstSeed, print }: SimulationOptions,
  scene: Scene | undefined,
): Promise<{ readonly failed: number }> {
  const { trace, problem } = await runSeed(firstSeed, { isTracing: true, scene });
  for (const line of trace) print(line);
  print(problem === null ? `seed ${firstSeed}: all is well` : `seed ${firstSeed} fails: ${problem}`);
  return { failed: problem === null ? 0 : 1 };
}

const traceLinesMax = 80;
const problemMax = 300;

async function tellStory({
  seed,
  scene,
  print,
}: {
  readonly seed: number;
  readonly scene: Scene | undefined;
  readonly print: (line: string) => void;
}): Promise<void> {
  const failing = await runSeed(seed, { scene });
  const { result, options } = await shrink(failing, scene);
  print(`seed ${seed} fails: ${failing.problem ?? "not any more"}`);
  print(`  shortest: ${options.deeds ?? 0} deeds, without ${[...(options.off ?? [])].join(", ")}`);
  for (const line of result.trace.slice(-traceLinesMax)) print(`  ${line}`);
}

export { runShard } from "./run-threads.ts";
