import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judged, median, short, tableLines } from "./figures.ts";
import { machineWords } from "./machine-words.ts";

/** Built by the tool that runs the benches. */
const bundle = "dist/drover.js";
const helpRatioMax = 1.3;

/** How long the command line takes to start, beside a program of Node that does nothing. The programs take turns. */
export async function benchStart(
  print: (line: string) => void,
  { rounds }: { readonly rounds: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "drover-bench-start-"));
  try {
    const empty = join(folder, "empty.mjs");
    await writeFile(empty, "");
    const programs = new Map([
      ["empty program", [empty]],
      ["drover --version", [bundle, "--version"]],
      ["drover --help", [bundle, "--help"]],
      ["drover run --help", [bundle, "run", "--help"]],
      ["drover explain", [bundle, "explain", "--observation", "docs/examples/observation.json"]],
    ]);
    const found = measure(programs, rounds);
    print(`${machineWords()}; ${rounds} rounds`);
    for (const line of tableLines(["program", "ms", "× empty"], rowsOf(found))) print(line);
    print(`drover --help: ${judged(ratioOf(found, "drover --help"), helpRatioMax)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Found = ReadonlyMap<string, readonly number[]>;

/** The first round fills the caches of the file system and is not counted. */
function measure(programs: ReadonlyMap<string, readonly string[]>, rounds: number): Found {
  const found = new Map([...programs.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of programs) {
      const startedAt = performance.now();
      const { status } = spawnSync(process.execPath, args, { stdio: "pipe" });
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      if (round > 0) found.get(name)?.push(performance.now() - startedAt);
    }
  }
  return found;
}

function rowsOf(found: Found): readonly (readonly string[])[] {
  return [...found].map(([name, times]) => [name, short(median(times)), short(ratioOf(found, name))]);
}

/** The median of the ratios of each round: what slows the machine down for a while slows down both. */
function ratioOf(found: Found, name: string): number {
  const empty = found.get("empty program") ?? [];
  return median((found.get(name) ?? []).map((ms, round) => ms / (empty[round] ?? Number.NaN)));
}
