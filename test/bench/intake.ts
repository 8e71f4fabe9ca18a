import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { bundleProgram } from "./bundle-program.ts";
import { intakeLines, type Turn } from "./intake-lines.ts";
import { LoadReport } from "./intake-report.ts";
import { type Kept, type Rival, startRivals } from "./intake-rivals.ts";
import { machineWords } from "./machine-words.ts";
import { readProcessCost } from "./process-cost.ts";
import { type Program, startProgram } from "./program.ts";

export interface IntakeOptions {
  /** Of each turn. */
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Names of rivals, with commas; empty for all. */
  readonly only: string;
  /** `off`: Drover only takes in, and nothing turns that into pokes meanwhile. */
  readonly pump: string;
  /** `on`: a CPU profile of each is written. */
  readonly profile: string;
}

const secret = "a secret of the bench";
const path = "/webhooks/github";

/**
 * Signed deliveries per second, beside Probot and bare Node. They take turns, so that whatever else the machine does hits
 * all of them alike.
 */
export async function benchIntake(print: (line: string) => void, options: IntakeOptions): Promise<void> {
  print(machineWords());
  const profiles = options.profile === "on" ? join(process.cwd(), "node_modules/.cache/drover/bench/profiles") : null;
  const folder = await mkdtemp(join(tmpdir(), "drover-bench-"));
  const rivals = await startRivals({ secret, path, hasPump: options.pump !== "off", only: options.only, profiles });
  const load = startProgram({ script: await bundleProgram("test/bench/intake-load.ts"), logFile: join(folder, "log") });
  try {
    for (const words of rivals.missing) print(words);
    const prepared = await load.ask({ kind: "prepare", secret, path, connections: options.connections });
    const { bytes } = Prepared.parse(prepared);
    print(`${options.connections} connections, ${Math.round(bytes / 1000)} kB for each delivery on average`);
    const turns = await takeTurns({ rivals: rivals.list, load, options, print });
    const kept = new Map<Rival["name"], Kept>();
    for (const rival of rivals.list) kept.set(rival.name, await rival.countKept());
    for (const line of intakeLines({ rivals: rivals.list, turns, kept })) print(line);
  } finally {
    await load.stop();
    await rivals.stop();
    await rm(folder, { recursive: true, force: true });
  }
  if (profiles !== null) print(`profiles: ${profiles}`);
}

const Prepared = z.object({ bytes: z.number() });

async function takeTurns(place: {
  readonly rivals: readonly Rival[];
  readonly load: Program;
  readonly options: IntakeOptions;
  readonly print: (line: string) => void;
}): Promise<readonly Turn[]> {
  const { rivals, load, options, print } = place;
  const turns: Turn[] = [];
  // The first is for caches, connections and compilers, and is counted for the rows alone.
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const rival of rivals) {
      const before = readProcessCost(rival.pid);
      const report = LoadReport.parse(await load.ask({ kind: "send", port: rival.port, ms: options.seconds * 1000 }));
      const { cpuMs, rssMb } = readProcessCost(rival.pid);
      turns.push({ rival: rival.name, round, isWarmUp: round === 0, report, cpuMs: cpuMs - before.cpuMs, rssMb });
      // Whatever it has left to do it does now, and not while the next one is measured.
      await rival.countKept();
    }
    print(round === 0 ? "warm" : `round ${round} of ${options.rounds}`);
  }
  return turns;
}
