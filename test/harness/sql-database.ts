import { sql } from "kysely";
import { InstanceId } from "#core/model/ids.ts";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { createSqlStore } from "#store/sql-store.ts";
import type { HarnessDatabase } from "./database.ts";
import { openTestEmbedded } from "./embedded.ts";
import { openTestDatabase } from "./postgres.ts";
import { createTurnstile } from "./turnstile.ts";

/** Harnesses of one process share a database, which takes seconds to open, and keep apart by the names of installations. */
export const openEmbeddedDatabase = sharing(openTestEmbedded);

export const openPostgresDatabase = sharing(async () => {
  const { url } = await openTestDatabase();
  return openPostgres(url);
});

function sharing(open: () => Promise<Database>): () => Promise<HarnessDatabase> {
  let opened: Promise<Database> | undefined;
  let harnesses = 0;
  return async () => {
    opened ??= openMigrated(open);
    return harnessDatabaseOn(await opened, ++harnesses);
  };
}

async function openMigrated(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  await migrate(database.db);
  return database;
}

function harnessDatabaseOn(database: Database, number: number): HarnessDatabase {
  const turnstile = createTurnstile();
  return {
    underWay: turnstile.underWay,
    settle: (name, { clock, random }) => {
      const instance = InstanceId.parse(`${name}-${number}`);
      const queue = createSqlQueue({ database, instance, random, now: () => clock.now() });
      return {
        instance,
        store: turnstile.through(createSqlStore({ database })),
        queue: turnstile.through(queue),
      };
    },
    lose: () => turnstile.pass(() => emptyTables(database)),
  };
}

async function emptyTables({ db }: Database): Promise<void> {
  const { rows } = await sql<{ names: string }>`
    select string_agg(quote_ident(tablename), ', ') as names from pg_tables
    where schemaname = current_schema() and tablename <> 'migration'
  `.execute(db);
  await sql.raw(`truncate ${rows[0]?.names}`).execute(db);
}
