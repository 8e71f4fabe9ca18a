import { migrate } from "#database/migrate.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { needPostgres, openTestDatabase } from "#harness/postgres.ts";
import { createSqlStore } from "#store/sql-store.ts";
import type { World } from "./world.ts";

/** A server, and two processes on one database as far as it can tell: each store has connections of its own. */
export const postgresWorld: World = {
  name: "PostgreSQL",
  need: needPostgres,
  open: async () => {
    const made = await openTestDatabase();
    const databases = [openPostgres(made.url), openPostgres(made.url)] as const;
    const [database, another] = databases;
    await migrate(database.db);
    return {
      stores: [createSqlStore({ database }), createSqlStore({ database: another })],
      close: async () => {
        await Promise.all(databases.map(async (each) => each.close()));
        await made.drop();
      },
    };
  },
  runs: (many) => Math.min(many, 10),
};
