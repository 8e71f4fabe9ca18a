import { rmSync } from "node:fs";
import { errorText } from "#core/error-text.ts";
import { bundleProgram } from "./bundle-program.ts";
import type { Guard } from "./guard.ts";
import { guards } from "./guards.ts";
import { runSound } from "./run-sound.ts";
import { type Programs, type TryLimits, tryGuard, type Verdict } from "./try-guard.ts";
import { type Judged, summaryLines, verdictLine } from "./verdict-words.ts";

export interface GuardsOptions {
  readonly root: string;
  /** Seeds that once found something come first, then these many from 1. */
  readonly seeds: number;
  /** Names; empty: all of them. */
  readonly only: readonly string[];
  readonly json: boolean;
  readonly print: (line: string) => void;
}

/** A seed takes a few dozen milliseconds: what takes this long never ends. */
const limits: TryLimits = { seedMs: 60_000, allMs: 600_000, testMs: 180_000 };

/** One for each processor of a small machine. */
const atOnce = 2;

const hunter = `
import { corpus } from "./test/simulation/corpus.ts";
import { huntInChild } from "./test/simulation/guards/hunt-in-child.ts";
import { runSeed } from "./test/simulation/run-seed.ts";
await huntInChild(runSeed, corpus.map(({ seed }) => seed));`;

const tester = `
import { testInChild } from "./test/simulation/guards/test-in-child.ts";
await testInChild();`;

export interface GuardsEnd {
  readonly survived: number;
  /** Seeds on which the code as it is fails. */
  readonly unsound: number;
  /** Names that no guard has. */
  readonly unknown: readonly string[];
}

/** Removes each guard of the list, alone, and says who noticed. */
export async function runGuards(options: GuardsOptions): Promise<GuardsEnd> {
  const { root, only, json, print } = options;
  const unknown = only.filter((name) => !guards.some((guard) => guard.name === name));
  if (unknown.length > 0) return { survived: 0, unsound: 0, unknown };
  const programs: Programs = {
    root,
    hunter,
    soundHunter: await bundleProgram({ root, name: "sound", lines: hunter, plugins: [] }),
    tester: await bundleProgram({ root, name: "tester", lines: tester, plugins: [] }),
    soundTests: new Map(),
  };
  const chosen = guards.filter(({ name }) => only.length === 0 || only.includes(name));
  const judged = await judgeAll(programs, chosen, options);
  const sound = await runSound(programs.soundHunter, seedsNeeded(judged), limits);
  for (const script of [programs.soundHunter, programs.tester]) rmSync(script, { force: true });
  if (json) print(JSON.stringify({ guards: judged.map(asData), sound }));
  else for (const line of summaryLines(judged, sound)) print(line);
  const survived = judged.filter(({ verdict }) => verdict.kind === "survived").length;
  return { survived, unsound: sound.failed.length, unknown };
}

function asData({ guard, verdict, ms }: Judged) {
  return { name: guard.name, file: guard.file, ...verdict, ms };
}

/** As many as the slowest death took. */
function seedsNeeded(judged: readonly Judged[]): number {
  return Math.max(1, ...judged.map(({ verdict }) => (verdict.kind === "survived" ? 1 : verdict.seeds)));
}

async function judgeAll(
  programs: Programs,
  chosen: readonly Guard[],
  options: GuardsOptions,
): Promise<readonly Judged[]> {
  const waiting = [...chosen];
  const judged: Judged[] = [];
  const work = async (): Promise<void> => {
    for (let guard = waiting.shift(); guard !== undefined; guard = waiting.shift()) {
      const startedAt = performance.now();
      const verdict = await tryGuard(programs, guard, { lastSeed: options.seeds, limits }).catch(notTried);
      const one: Judged = { guard, verdict, ms: Math.round(performance.now() - startedAt) };
      judged.push(one);
      if (!options.json) options.print(verdictLine(one));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return judged.toSorted((left, right) => chosen.indexOf(left.guard) - chosen.indexOf(right.guard));
}

/** One that cannot be removed any more does not keep the others from being tried. */
function notTried(error: unknown): Verdict {
  return { kind: "survived", seeds: 0, why: errorText(error) };
}
