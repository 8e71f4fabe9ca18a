import { doSomething } from "./actors.ts";
import { chanceOf } from "./chance.ts";
import { checkRest } from "./oracle.ts";
import { comeToRest, runJobs, work } from "./worker.ts";
import { honest, newWorld, type Sabotage, type World } from "./world.ts";

export interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  readonly trace: readonly string[];
  readonly sightings: ReadonlySet<string>;
  readonly effects: number;
  readonly problem: string | null;
}

export interface SeedOptions {
  readonly steps?: number;
  readonly sabotage?: Sabotage;
}

const stepsMax = 120;

/** One life of a pull: people act, a worker looks and acts at its own pace, jobs end; then all comes to rest. */
export function runSeed(seed: number, { steps = stepsMax, sabotage = honest }: SeedOptions = {}): SeedResult {
  const world = newWorld(chanceOf(seed), sabotage);
  const problem = live(world, steps);
  const effects = world.trace.filter((line) => line.includes(" drover: ")).length;
  return { seed, steps, trace: world.trace, sightings: world.truth.sightings, effects, problem };
}

function live(world: World, steps: number): string | null {
  try {
    for (let step = 0; step < steps && world.pull.pull.state === "open"; step++) {
      const turn = world.chance.below(10);
      if (turn < 4) doSomething(world);
      else if (turn < 9) work(world);
      else runJobs(world);
    }
    comeToRest(world);
    checkRest(world);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The shortest life of the same seed that still fails: shorter stories are easier to read. */
export function shrink(failing: SeedResult): SeedResult {
  for (let steps = 1; steps < failing.steps; steps++) {
    const shorter = runSeed(failing.seed, { steps });
    if (shorter.problem !== null) return shorter;
  }
  return failing;
}
