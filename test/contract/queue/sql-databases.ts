import type { TestContext } from "vitest";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { needPostgres, openTestDatabase } from "#harness/postgres.ts";

/** Where the durable queue can be kept. */
export interface SqlDatabase {
  readonly name: string;
  /** For `beforeEach`: skips the test where something is not installed. */
  readonly need: (context: Pick<TestContext, "skip">) => void;
  /** Two ways into one database, for two workers. All tests share them: to open them takes longer than most tests. */
  readonly open: () => Promise<readonly [Database, Database]>;
}

export const embedded: SqlDatabase = {
  name: "the embedded engine",
  need: () => undefined,
  open: once(async () => {
    const database = await openTestEmbedded();
    await migrate(database.db);
    return [database, database];
  }),
};

export const postgres: SqlDatabase = {
  name: "PostgreSQL",
  need: needPostgres,
  open: once(async () => {
    const { url } = await openTestDatabase();
    const pools = [openPostgres(url), openPostgres(url)] as const;
    await migrate(pools[0].db);
    return pools;
  }),
};

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return async () => {
    made ??= make();
    return made;
  };
}
