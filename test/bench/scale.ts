import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BenchCluster, startBenchCluster } from "./bench-cluster.ts";
import { machineWords } from "./machine-words.ts";
import { benchPulls } from "./scale-pulls.ts";
import { benchTicks } from "./scale-ticks.ts";

export interface ScaleOptions {
  /** The most open pulls; a tenth and a hundredth of them are measured beside it. */
  readonly pulls: number;
  /** Of each turn of ticks. */
  readonly seconds: number;
  readonly rounds: number;
  /** Seconds for which idle cost is measured. */
  readonly idle: number;
  /** `ticks`, `pulls`, `embedded`, `postgres`, with commas; empty for all. */
  readonly only: string;
  /** `on`: CPU profiles of the processes are written. */
  readonly profile: string;
}

export interface ScalePlace {
  readonly options: ScaleOptions;
  readonly cluster: BenchCluster | undefined;
  readonly engines: readonly ("embedded" | "postgres")[];
  readonly profiles: string | null;
  readonly print: (line: string) => void;
}

/** How fast Drover turns on a forge that costs nothing, and what many open pulls cost it. */
export async function benchScale(print: (line: string) => void, options: ScaleOptions): Promise<void> {
  print(machineWords());
  const profiles = options.profile === "on" ? join(process.cwd(), "node_modules/.cache/drover/bench/profiles") : null;
  if (profiles !== null) await mkdir(profiles, { recursive: true });
  const cluster = await startBenchCluster();
  if (cluster === undefined) print("PostgreSQL's server is not installed: nothing is measured on it");
  const wanted = (name: string, others: readonly string[]): boolean => {
    const only = options.only.split(",").filter((word) => word === name || others.includes(word));
    return only.length === 0 || only.includes(name);
  };
  const engines = (["postgres", "embedded"] as const).filter(
    (engine) => wanted(engine, ["postgres", "embedded"]) && (engine === "embedded" || cluster !== undefined),
  );
  const place: ScalePlace = { options, cluster, engines, profiles, print };
  try {
    if (wanted("ticks", ["ticks", "pulls"])) await benchTicks(place);
    if (wanted("pulls", ["ticks", "pulls"])) await benchPulls(place);
  } finally {
    await cluster?.remove();
  }
  if (profiles !== null) print(`profiles: ${profiles}`);
}
