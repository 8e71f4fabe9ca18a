import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { findPostgresBinaries } from "#harness/postgres-binaries.ts";
import { startPostgresCluster } from "#harness/postgres-cluster.ts";
import { parentOf, readFamilyCpuMs } from "./process-cost.ts";

/** A PostgreSQL server of our own that keeps what it is given, as one in production does. */
export interface BenchCluster {
  createDatabase(): Promise<string>;
  /** The CPU time of the whole server so far. */
  readCpuMs(): Promise<number>;
  remove(): Promise<void>;
}

const durable = ["fsync = on", "synchronous_commit = on", "full_page_writes = on", "shared_buffers = 128MB"];

/** Undefined where no server is installed. */
export async function startBenchCluster(): Promise<BenchCluster | undefined> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) return undefined;
  const cluster = await startPostgresCluster(binaries, durable);
  return {
    createDatabase: async () => {
      const name = `bench_${randomBytes(4).toString("hex")}`;
      await ask(cluster.url, `create database ${name}`);
      return cluster.urlOf(name);
    },
    readCpuMs: async () => {
      const [own] = await ask(cluster.url, "select pg_backend_pid() as pid");
      return readFamilyCpuMs(parentOf(Number(own?.["pid"])));
    },
    remove: () => cluster.remove(),
  };
}

async function ask(url: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
