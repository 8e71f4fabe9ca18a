import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.ts";
import type { Guard } from "./guard.ts";
import { runSound } from "./run-sound.ts";
import { type Programs, type TryLimits, tryGuard } from "./try-guard.ts";

/** A world of two lines: what it says about a seed depends on a guard; seed 2 fails whatever there is. */
const source = `
export function problemOf(seed: number): string | null {
  if (seed === 2) return "always";
  let problem: string | null = seed === 5 ? "five" : null;
  if (problem === "five") problem = null;
  for (let turns = 0; seed === 3 && problem === "never"; turns++) continue;
  return problem;
}`;

const hunter = `
import { readFileSync } from "node:fs";
import { problemOf } from "./src/world.ts";
const order = JSON.parse(readFileSync(0, "utf8"));
const say = (word) => process.stdout.write(JSON.stringify(word) + "\\n");
const seeds = order.kind === "one" ? [order.seed] : Array.from({ length: order.last }, (_, i) => i + 1).slice(order.skip);
let isFailed = false;
for (const seed of seeds) {
  say({ kind: "begins", seed });
  const problem = problemOf(seed);
  isFailed = problem !== null;
  if (isFailed) say({ kind: "failed", seed, problem });
  if (isFailed) break;
}
if (!isFailed) say({ kind: "passed" });`;

const limits: TryLimits = { seedMs: 2_000, allMs: 20_000, testMs: 1 };
const root = mkdtempSync(join(tmpdir(), "guards-"));
let programs: Programs;

beforeAll(async () => {
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/world.ts"), source);
  const soundHunter = await bundleProgram({ root, name: "sound", lines: hunter, plugins: [] });
  programs = { root, hunter, soundHunter, tester: "none", soundTests: new Map() };
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function guardOf(text: string, instead: string): Guard {
  return { name: "one", why: "It matters.", file: "src/world.ts", text, instead };
}

describe("the code as it is", () => {
  it("is run to the end, however many seeds fail", async () => {
    expect(await runSound(programs.soundHunter, 6, limits)).toEqual({
      seeds: 6,
      failed: [{ seed: 2, problem: "always" }],
    });
  });
});

describe("removing a guard under a simulation", () => {
  it("is noticed by the first seed that fails without it and not with it", async () => {
    const guard = guardOf('if (problem === "five") problem = null;', "");
    expect(await tryGuard(programs, guard, { lastSeed: 9, limits })).toEqual({
      kind: "killed",
      by: "seed 5",
      seeds: 5,
      problem: "five",
    });
  });

  it("survives where no other seed fails", async () => {
    const guard = guardOf('if (problem === "five") problem = null;', "");
    expect(await tryGuard(programs, guard, { lastSeed: 4, limits })).toMatchObject({ kind: "survived", seeds: 4 });
  });

  it("is noticed when a seed never ends", async () => {
    const guard = guardOf('seed === 3 && problem === "never"', "seed === 3");
    expect(await tryGuard(programs, guard, { lastSeed: 9, limits })).toEqual({ kind: "hung", by: "seed 3", seeds: 3 });
  });

  it("is noticed when the process breaks", async () => {
    const guard = guardOf(
      "let problem: string | null =",
      "if (seed === 4) process.exit(3); let problem: string | null =",
    );
    expect(await tryGuard(programs, guard, { lastSeed: 9, limits })).toMatchObject({ kind: "killed", by: "seed 4" });
  });

  it("rejects a guard that is not in the file any more", async () => {
    await expect(tryGuard(programs, guardOf("nothing of the kind", ""), { lastSeed: 1, limits })).rejects.toThrow(
      "occurs 0 times",
    );
  });
});
