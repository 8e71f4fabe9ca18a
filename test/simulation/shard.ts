import { addCounts, type Counts, noCounts } from "./figures.ts";
import { runSeed } from "./run-seed.ts";
import type { Scene } from "./scenes.ts";

/** What became of some seeds: plain data, so that it can come from another thread. */
export interface ShardResult {
  readonly counts: Counts;
  readonly failures: readonly { readonly seed: number; readonly problem: string }[];
  readonly seeds: number;
}

export async function runShard(seeds: readonly number[], scene: Scene | undefined): Promise<ShardResult> {
  const counts = noCounts();
  const failures: { readonly seed: number; readonly problem: string }[] = [];
  for (const seed of seeds) {
    const result = await runSeed(seed, { scene });
    addCounts(counts, result.counts);
    if (result.problem !== null) failures.push({ seed, problem: result.problem });
  }
  return { counts, failures, seeds: seeds.length };
}
