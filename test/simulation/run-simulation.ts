import { runSeed, shrink } from "./run-seed.ts";
import { sometimes } from "./sometimes.ts";

export interface SimulationOptions {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly trace: boolean;
  readonly print: (line: string) => void;
}

/** Below this many seeds chance may well leave something out. */
const seedsForSometimes = 800;

/** Many lives of a pull, each from its seed. */
export async function runSimulation(options: SimulationOptions): Promise<{ readonly failed: number }> {
  const { seeds, firstSeed, print } = options;
  const sightings = new Set<string>();
  let [failed, effects] = [0, 0];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const result = runSeed(seed);
    effects += result.effects;
    for (const name of result.sightings) sightings.add(name);
    if (options.trace) result.trace.forEach(print);
    if (result.problem === null) continue;
    failed++;
    const short = shrink(result);
    print(`seed ${seed} fails after ${short.steps} steps: ${short.problem ?? ""}`);
    if (!options.trace) short.trace.slice(-25).forEach((line) => print(`  ${line}`));
  }
  const unseen = seeds >= seedsForSometimes ? sometimes.filter((name) => !sightings.has(name)) : [];
  for (const name of unseen) print(`never seen: ${name}`);
  print(`${seeds} seeds, ${effects} effects, ${failed} failed, ${unseen.length} rare events never seen`);
  return await Promise.resolve({ failed: failed + unseen.length });
}
