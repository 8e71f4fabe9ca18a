import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { freePort } from "#harness/free-port.ts";
import { type BenchCluster, startBenchCluster } from "./bench-cluster.ts";
import { bundleProgram } from "./bundle-program.ts";
import { installProbot, probotVersion } from "./install-probot.ts";
import { type Program, startProgram } from "./program.ts";

/** A server that takes deliveries, in a process of its own. */
export interface Rival {
  readonly name: RivalName;
  readonly words: string;
  readonly pid: number;
  readonly port: number;
  /** What it has in its database once it has come to rest. */
  countKept(): Promise<Kept>;
}

/** Nulls for one that keeps nothing. */
export type Kept = z.infer<typeof Kept>;
const Kept = z.object({ rows: z.number().nullable(), commits: z.number().nullable() });

export type RivalName = "embedded" | "postgres" | "probot" | "probot_insert" | "bare";

export interface Rivals {
  readonly list: readonly Rival[];
  /** Which are missing, and why. */
  readonly missing: readonly string[];
  stop(): Promise<void>;
}

export interface RivalsOptions {
  readonly secret: string;
  readonly path: string;
  /** Whether Drover turns what it took in into pokes meanwhile. */
  readonly hasPump: boolean;
  /** Names, with commas; empty for all. */
  readonly only: string;
  /** A folder for a profile of each; null for none. */
  readonly profiles: string | null;
}

export async function startRivals(options: RivalsOptions): Promise<Rivals> {
  const folder = await mkdtemp(join(tmpdir(), "drover-bench-"));
  const programs: Program[] = [];
  const cluster = await startBenchCluster();
  const probot = await installProbot();
  const missing = [
    ...(cluster === undefined ? ["PostgreSQL's server is not installed: nothing is measured on it"] : []),
    ...(probot.kind === "failed" ? [`Probot could not be installed and is left out: ${probot.why}`] : []),
  ];
  const list: Rival[] = [];
  const plans = await plansOf({ options, folder, cluster, probot });
  const only = options.only.split(",");
  for (const { entry, order, ...named } of plans.filter(({ name }) => options.only === "" || only.includes(name))) {
    const port = await freePort();
    const program = startProgram({
      script: await bundleProgram(entry),
      logFile: join(folder, `${named.name}.log`),
      nodeArgs: options.profiles === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${join(options.profiles, named.name)}`],
    });
    programs.push(program);
    await program.ask({ kind: "start", port, secret: options.secret, ...order });
    const countKept = async (): Promise<Kept> => Kept.parse(await program.ask({ kind: "count" }));
    list.push({ ...named, port, pid: program.pid, countKept });
  }
  return {
    list,
    missing,
    stop: async () => {
      await Promise.all(programs.map((program) => program.stop()));
      await cluster?.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface RivalPlan extends Pick<Rival, "name" | "words"> {
  readonly entry: string;
  readonly order: object;
}

async function plansOf(parts: {
  readonly options: RivalsOptions;
  readonly folder: string;
  readonly cluster: BenchCluster | undefined;
  readonly probot: Awaited<ReturnType<typeof installProbot>>;
}): Promise<readonly RivalPlan[]> {
  const { options, folder, cluster, probot } = parts;
  const { hasPump, path } = options;
  const drover = "test/bench/intake-drover.ts";
  const embedded = { kind: "embedded", folder: join(folder, "data") };
  const plans: RivalPlan[] = [
    { name: "embedded", words: "Drover, embedded", entry: drover, order: { hasPump, place: embedded } },
  ];
  if (cluster !== undefined) {
    const place = { kind: "postgres", url: await cluster.createDatabase() };
    plans.push({ name: "postgres", words: "Drover, PostgreSQL", entry: drover, order: { hasPump, place } });
  }
  if (probot.kind === "installed") {
    const entry = "test/bench/intake-probot.ts";
    const order = { path, entry: probot.entry };
    const words = `Probot ${probotVersion}`;
    plans.push({ name: "probot", words, entry, order: { ...order, databaseUrl: null } });
    if (cluster !== undefined) {
      const databaseUrl = await cluster.createDatabase();
      plans.push({ name: "probot_insert", words: `${words} + insert`, entry, order: { ...order, databaseUrl } });
    }
  }
  plans.push({ name: "bare", words: "node:http + HMAC", entry: "test/bench/intake-bare.ts", order: {} });
  return plans;
}
