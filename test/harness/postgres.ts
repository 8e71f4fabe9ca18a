import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject, type TestContext } from "vitest";
import * as z from "zod";
import { knock } from "./door.ts";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { refuseInQuickTests } from "./refuse-quick.ts";

export interface TestDatabase {
  readonly url: string;
  /** Ends whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * A fresh, empty database in the PostgreSQL of this run; see test/global-setup.ts. Where no server is installed it
 * fails, so a test that needs it says `beforeEach(needPostgres)` first.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  refuseInQuickTests();
  const cluster = await clusterUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(cluster, `create database ${name} template template0`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runStatement(cluster, `drop database if exists ${name} with (force)`),
  };
}

const missing = "PostgreSQL's server is not installed";

/** For `beforeEach`: a test that needs PostgreSQL is skipped without it, and the report says why. */
export function needPostgres({ skip }: Pick<TestContext, "skip">): void {
  skip(inject("postgresDoor") === null, missing);
}

/** For tests that break their server and so need one of their own (test/harness/postgres-cluster.ts). */
export function postgresBinaries(): PostgresBinaries {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error(missing);
  return binaries;
}

const Told = z.object({ url: z.string() });

async function clusterUrl(): Promise<string> {
  const port = inject("postgresDoor");
  if (port === null) throw new Error(missing);
  return Told.parse(await knock(port)).url;
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
