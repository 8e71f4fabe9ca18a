import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { openPostgres } from "#database/open-postgres.ts";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";

/** Those that get their answer are under this limit as well, however slow the machine. */
const silenceMs = 5000;

let server: TestDatabase;
beforeEach(async (context) => {
  needPostgres(context);
  server = await openTestDatabase();
  return async () => server.drop();
});

describe("PostgreSQL that stalls", () => {
  it("holds nobody for ever, and hands nobody a connection whose answer is still to come", async () => {
    const database = openPostgres(server.url, { silenceMs });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db);
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, "SIGSTOP");
    try {
      await expect(sql`select 'late'`.execute(database.db)).rejects.toThrow(`said nothing for ${silenceMs} ms`);
      const next = await sql<{ word: string }>`select 'next' as word`.execute(database.db);
      expect(next.rows).toEqual([{ word: "next" }]);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await database.close();
  });

  it("fails a transaction whose connection is cut between two statements, and nothing else", async () => {
    const [database, other] = [openPostgres(server.url), openPostgres(server.url)];
    const transaction = database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 10000)`.execute(other.db);
      await sql`select 1`.execute(trx);
    });
    await expect(transaction).rejects.toThrow(/terminat|not queryable/);
    expect((await sql<{ word: string }>`select 'next' as word`.execute(database.db)).rows).toEqual([{ word: "next" }]);
    await database.close();
    await other.close();
  });

  it("ends by itself a statement, and a transaction that nobody goes on with", async () => {
    const database = openPostgres(server.url);
    const limits = await sql<{ statement: string; idle: string }>`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle
    `.execute(database.db);
    expect(limits.rows).toEqual([{ statement: "30s", idle: "30s" }]);
    await database.close();
  });
});
