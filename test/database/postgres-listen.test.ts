import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/database.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { needPostgres, postgresBinaries } from "#harness/postgres.ts";
import { type PostgresCluster, startPostgresCluster } from "#harness/postgres-cluster.ts";
import { eventually } from "./eventually.ts";

let cluster: PostgresCluster | undefined;
let database: Database;
beforeEach(async (context) => {
  needPostgres(context);
  cluster ??= await startPostgresCluster(postgresBinaries());
  database = openPostgres(cluster.url);
  return async () => database.close();
});
afterAll(async () => cluster?.remove());

async function ring(from: Database): Promise<void> {
  await sql`select pg_notify('Bell', '')`.execute(from.db);
}

async function countListeners(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where application_name = 'drover' and query ~ '^listen'
  `.execute(database.db);
  return rows[0]?.count ?? 0;
}

describe("who listens on PostgreSQL", () => {
  it("hears of each notice, whoever gives it, until told to stop", async () => {
    const other = openPostgres(database.kind === "postgres" && cluster !== undefined ? cluster.url : "");
    let heard = 0;
    const ear = await database.listen("Bell", () => {
      heard += 1;
    });
    await ring(database);
    await eventually(() => heard === 1);
    await ring(other);
    await eventually(() => heard === 2);
    await ear.stop();
    await eventually(async () => (await countListeners()) === 0);
    await ring(other);
    expect(heard).toBe(2);
    await other.close();
  });

  it("hears on after the server was away, and is told once that something may have been missed", async () => {
    let heard = 0;
    const ear = await database.listen("Bell", () => {
      heard += 1;
    });
    await sql`select 1`.execute(database.db);
    await cluster?.halt();
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow(/terminat|refused/i);
    await cluster?.resume();
    await eventually(() => heard === 1);
    // The pool has come back as well.
    await ring(database);
    await eventually(() => heard === 2);
    await ear.stop();
  });

  it("can stop while the server is away", async () => {
    let heard = 0;
    const ear = await database.listen("Bell", () => {
      heard += 1;
    });
    await cluster?.halt();
    await ear.stop();
    await cluster?.resume();
    await ring(database);
    expect(await countListeners()).toBe(0);
    expect(heard).toBe(0);
  });

  it("is told at once if there is nobody to listen to", async () => {
    await cluster?.halt();
    await expect(database.listen("Bell", () => undefined)).rejects.toThrow("ECONNREFUSED");
    await cluster?.resume();
  });
});
