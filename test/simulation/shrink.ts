import { actors } from "./deeds.ts";
import { runSeed, type SeedOptions, type SeedResult } from "./run-seed.ts";
import type { Scene } from "./scenes.ts";
import { faultKinds } from "./weather.ts";

/**
 * A shorter story of the same failure: fewer deeds, then without each actor and each fault that it does not need. What
 * fails in another way is another story.
 */
export async function shrink(
  failing: SeedResult,
  scene: Scene | undefined,
): Promise<{ readonly result: SeedResult; readonly options: SeedOptions }> {
  const { seed } = failing;
  const kind = kindOf(failing.problem);
  let deeds = failing.deeds;
  const off = new Set<string>();
  const isSame = async (tried: SeedOptions): Promise<boolean> =>
    kindOf((await runSeed(seed, { ...tried, scene })).problem) === kind;
  for (let fewer = 0; fewer < deeds; fewer++) if (await isSame({ deeds: fewer, off })) deeds = fewer;
  for (const name of [...actors, ...faultKinds]) {
    off.add(name);
    if (!(await isSame({ deeds, off }))) off.delete(name);
  }
  const options: SeedOptions = { deeds, off, scene };
  return { result: await runSeed(seed, { ...options, isTracing: true }), options };
}

/** Without the names in it, which differ from life to life. */
function kindOf(problem: string | null): string | null {
  return problem === null ? null : problem.replaceAll(/\b[0-9a-f]{7,}\b|\d+/g, "#").slice(0, 60);
}
