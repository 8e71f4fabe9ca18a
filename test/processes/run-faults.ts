import { isDeepStrictEqual } from "node:util";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { findPostgresBinaries } from "#harness/postgres-binaries.ts";
import { startPostgresCluster } from "#harness/postgres-cluster.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { judgeKills, killServe, soundKills } from "./serve-kills.ts";

export interface FaultsRun {
  readonly engine: "embedded" | "postgres";
  readonly manner: SandboxManner;
  readonly ending: "kill" | "stop";
  readonly lives: number;
  readonly seed: number;
  readonly print: (line: string) => void;
}

/** `npm run faults`: as in `serve-kills.test.ts`, for as long as one likes. Tells what it met, and what is wrong. */
export async function runFaults(run: FaultsRun): Promise<{ readonly isSound: boolean }> {
  const { engine, manner, ending, lives: kills, seed, print } = run;
  const script = await bundleEntry("src/cli/drover.ts");
  const database = engine === "embedded" ? null : await openCluster();
  try {
    // A process that is just being loaded does not hear yet that it is to end in order.
    const kinds = ending === "stop" ? (["time", "accepted", "write"] as const) : undefined;
    const asked = { script, databaseUrl: database?.url ?? null, manner, kills, ending, seed, onProgress: print };
    const report = await killServe(kinds === undefined ? asked : { ...asked, kinds });
    const isSound = isDeepStrictEqual(judgeKills(report), soundKills);
    print(isSound ? "nothing was lost, nothing was done twice" : JSON.stringify(judgeKills(report), null, 2));
    if (!isSound) print(report.output);
    return { isSound };
  } finally {
    await database?.remove();
  }
}

async function openCluster() {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error("PostgreSQL's server is not installed");
  return await startPostgresCluster(binaries, ["synchronous_commit = on"]);
}
