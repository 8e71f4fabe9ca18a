import { type HuntLimits, runHunt } from "./run-hunt.ts";

export interface Sound {
  readonly seeds: number;
  readonly failed: readonly { readonly seed: number; readonly problem: string }[];
}

/**
 * Runs the code as it is on the same seeds. A mutant lives another life than the code as it is, so that it may die of a
 * bug that has nothing to do with its guard: only where the code as it is fails nowhere does a death prove something.
 */
export async function runSound(script: string, lastSeed: number, limits: HuntLimits): Promise<Sound> {
  const failed: { readonly seed: number; readonly problem: string }[] = [];
  let seeds = 0;
  for (;;) {
    const end = await runHunt(script, { kind: "many", last: lastSeed, skip: seeds }, limits);
    seeds += end.seeds;
    if (end.kind === "passed") return { seeds, failed };
    failed.push({ seed: end.seed, problem: end.kind === "hung" ? "it hung" : end.problem });
  }
}
