import { rmSync } from "node:fs";
import { bundleProgram } from "./bundle-program.ts";
import type { Guard } from "./guard.ts";
import { esbuildPlugin } from "./guard-plugins.ts";
import { type HuntEnd, type HuntLimits, runHunt } from "./run-hunt.ts";
import { runTests, type TestsEnd } from "./run-tests.ts";

/** What became of the code without one guard. */
export type Verdict =
  | { readonly kind: "killed"; readonly by: string; readonly seeds: number; readonly problem: string }
  | { readonly kind: "hung"; readonly by: string; readonly seeds: number }
  | { readonly kind: "survived"; readonly seeds: number; readonly why: string };

/** The programs that are run: the one that hunts is bundled anew for each guard. */
export interface Programs {
  readonly root: string;
  /** The lines of the program that hunts. */
  readonly hunter: string;
  /** The script that hunts in the code as it is. */
  readonly soundHunter: string;
  readonly tester: string;
  /** What became of each test file in the code as it is; several guards name the same file. */
  readonly soundTests: Map<string, Promise<TestsEnd>>;
}

export interface TryLimits extends HuntLimits {
  readonly testMs: number;
}

/**
 * Removes one guard and looks whether anybody notices. What the code as it is fails too, or hangs in, proves nothing
 * about the guard and is passed over.
 */
export async function tryGuard(
  programs: Programs,
  guard: Guard,
  options: { readonly lastSeed: number; readonly limits: TryLimits },
): Promise<Verdict> {
  return guard.killedBy === undefined
    ? await trySeeds(programs, guard, options)
    : await tryTest(programs, { ...guard, killedBy: guard.killedBy }, options.limits);
}

async function trySeeds(
  { root, hunter, soundHunter }: Programs,
  guard: Guard,
  { lastSeed, limits }: { readonly lastSeed: number; readonly limits: TryLimits },
): Promise<Verdict> {
  const script = await bundleProgram({ root, name: guard.name, lines: hunter, plugins: [esbuildPlugin(guard, root)] });
  const until = performance.now() + limits.allMs;
  let tried = 0;
  try {
    for (;;) {
      const order = { kind: "many", last: lastSeed, skip: tried } as const;
      const end = await runHunt(script, order, { ...limits, allMs: Math.max(1, until - performance.now()) });
      tried += end.seeds;
      if (end.kind === "passed") return { kind: "survived", seeds: tried, why: "no seed failed" };
      if (await isSound(soundHunter, end, limits)) return verdictOf(end, tried);
    }
  } finally {
    rmSync(script, { force: true });
  }
}

/** The same seed tells the same story, so one run of the code as it is settles it. */
async function isSound(
  script: string,
  end: Exclude<HuntEnd, { kind: "passed" }>,
  limits: HuntLimits,
): Promise<boolean> {
  return (await runHunt(script, { kind: "one", seed: end.seed }, limits)).kind === "passed";
}

function verdictOf(end: Exclude<HuntEnd, { kind: "passed" }>, seeds: number): Verdict {
  const by = `seed ${end.seed}`;
  return end.kind === "hung" ? { kind: "hung", by, seeds } : { kind: "killed", by, seeds, problem: end.problem };
}

async function tryTest(
  { root, tester, soundTests }: Programs,
  guard: Guard & { readonly killedBy: NonNullable<Guard["killedBy"]> },
  { testMs }: TryLimits,
): Promise<Verdict> {
  const by = guard.killedBy.test;
  const end = await runTests(tester, { root, test: by, guard }, testMs);
  if (end.kind === "passed" || end.kind === "broken") return survivedTest(end);
  const sounding = soundTests.get(by) ?? runTests(tester, { root, test: by, guard: null }, testMs);
  soundTests.set(by, sounding);
  const sound = await sounding;
  if (sound.kind !== "passed") return { kind: "survived", seeds: 0, why: `${by} does not pass with the guard either` };
  if (end.kind === "hung") return { kind: "hung", by, seeds: 0 };
  return { kind: "killed", by, seeds: 0, problem: end.failed[0] ?? "" };
}

function survivedTest(end: Extract<TestsEnd, { kind: "passed" | "broken" }>): Verdict {
  const why = end.kind === "passed" ? `all ${end.ran} tests pass` : `the tests could not be run: ${end.why}`;
  return { kind: "survived", seeds: 0, why };
}
