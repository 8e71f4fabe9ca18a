import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { RepositoryId } from "#core/model/ids.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { BenchCluster } from "./bench-cluster.ts";
import { bundleProgram } from "./bundle-program.ts";
import { type Program, startProgram } from "./program.ts";

/** A forge with many open pulls in a process of its own, and a database for whoever works on them. */
export interface Harness {
  readonly refs: readonly PullRef[];
  readonly forgePid: number;
  countCalls(): Promise<CallCount>;
  /** So many processes with so many workers each, all on the same database. */
  startReplicas(options: ReplicaOptions): Promise<readonly Replica[]>;
  /** CPU time of the database's own processes; 0 where it is embedded. */
  readDatabaseCpuMs(): Promise<number>;
  close(): Promise<void>;
}

export type EngineName = "embedded" | "postgres";

export interface ReplicaOptions {
  readonly workers: number;
  readonly replicas: number;
}

export interface Replica {
  readonly pid: number;
  poke(refs: readonly PullRef[]): Promise<TickCount>;
  count(): Promise<TickCount>;
  /** As `count`, and asks the queue whether anything is left to be looked at. */
  rest(): Promise<TickCount>;
  stop(): Promise<void>;
}

const TickCount = z.object({
  ticks: z.number(),
  lastTickAt: z.number(),
  /** How many different ones. */
  pulls: z.number(),
  isAtRest: z.boolean(),
});
export type TickCount = z.infer<typeof TickCount>;

const CallCount = z.object({ calls: z.number(), writes: z.number() });
export type CallCount = z.infer<typeof CallCount>;

const Ref = z.object({ repository: z.object({ id: RepositoryId, name: z.string() }), number: z.number() });
const Forge = z.object({ url: z.string(), token: z.string(), refs: z.array(Ref) });

export interface HarnessOptions {
  readonly pulls: number;
  readonly engine: EngineName;
  /** Needed for PostgreSQL only. */
  readonly cluster: BenchCluster | undefined;
  readonly profiles: string | null;
}

export async function openHarness(options: HarnessOptions): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), "drover-bench-"));
  const logFile = join(folder, "forge.log");
  const forge = startProgram({ script: await bundleProgram("test/bench/scale-forge.ts"), logFile });
  const served = Forge.parse(await forge.ask({ kind: "start", pulls: options.pulls }));
  const place = await placeOf(options, folder);
  const script = await bundleProgram("test/bench/scale-drover.ts");
  const started = new Set<Program>();
  const start = async (workers: number): Promise<Replica> => {
    const nodeArgs = options.profiles === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profiles}`];
    const program = startProgram({ script, logFile: join(folder, "drover.log"), nodeArgs });
    started.add(program);
    await program.ask({ kind: "start", config: configOf(served, workers), token: served.token, place });
    return replicaOf(program, () => started.delete(program));
  };
  return {
    refs: served.refs,
    forgePid: forge.pid,
    countCalls: async () => CallCount.parse(await forge.ask({ kind: "count" })),
    startReplicas: async ({ workers, replicas }) => {
      const all: Replica[] = [];
      for (let number = 0; number < replicas; number += 1) all.push(await start(workers));
      return all;
    },
    readDatabaseCpuMs: async () => (place.kind === "postgres" ? ((await options.cluster?.readCpuMs()) ?? 0) : 0),
    close: async () => {
      for (const program of started) await program.stop();
      await forge.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Place =
  | { readonly kind: "embedded"; readonly folder: string }
  | { readonly kind: "postgres"; readonly url: string };

async function placeOf({ engine, cluster }: HarnessOptions, folder: string): Promise<Place> {
  if (engine === "embedded") return { kind: "embedded", folder: join(folder, "data") };
  if (cluster === undefined) throw new Error("PostgreSQL's server is not installed");
  return { kind: "postgres", url: await cluster.createDatabase() };
}

/**
 * Reviews are left to people: they are jobs of their own. Writes follow each other without a gap, since a forge of this
 * machine wants none, and what was written is believed at once.
 */
function configOf({ url, refs }: z.infer<typeof Forge>, workers: number): object {
  const repositories = [...new Set(refs.map(({ repository }) => repository.name))];
  return {
    forges: [
      {
        kind: "sandbox",
        name: "sandbox",
        url,
        token: { env: "UNUSED" },
        repositories,
        spans: { writeGapMs: 0, settleMs: 1000 },
      },
    ],
    rules: { reviews: { automatic: "disabled" } },
    workers,
  };
}

function replicaOf(program: Program, onStopped: () => void): Replica {
  const ask = async (message: object): Promise<TickCount> => TickCount.parse(await program.ask(message));
  return {
    pid: program.pid,
    poke: (refs) => ask({ kind: "poke", refs }),
    count: () => ask({ kind: "count" }),
    rest: () => ask({ kind: "rest" }),
    stop: async () => {
      await program.stop();
      onStopped();
    },
  };
}
