import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { inject, type TestContext } from "vitest";
import * as z from "zod";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";

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
  const clusterUrl = await knock();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(clusterUrl, `create database ${name} template template0`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runStatement(clusterUrl, `drop database if exists ${name} with (force)`),
  };
}

const missing = "PostgreSQL's server is not installed";

/** For `beforeEach`: a test that needs PostgreSQL is skipped without it, and the report says why. */
export function needPostgres({ skip }: Pick<TestContext, "skip">): void {
  skip(inject("postgresDoor") === null, missing);
}

/** For tests that break their server and so need one of their own (test/town/postgres-cluster.ts). */
export function postgresBinaries(): PostgresBinaries {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error(missing);
  return binaries;
}

const Answer = z.union([z.object({ url: z.string() }), z.object({ error: z.string() })]);

async function knock(): Promise<string> {
  const port = inject("postgresDoor");
  if (port === null) throw new Error(missing);
  const answer = Answer.parse(JSON.parse(await text(connect(port, "127.0.0.1"))));
  if ("error" in answer) throw new Error(answer.error);
  return answer.url;
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
