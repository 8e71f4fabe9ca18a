import { migrate } from "#database/migrate.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { createSqlStore } from "#store/sql-store.ts";
import type { World } from "./world.ts";

/** In memory. The engine has one connection, so the two stores share it. */
export const embeddedWorld: World = {
  name: "the embedded database",
  need: () => undefined,
  open: async () => {
    const database = await openTestEmbedded();
    await migrate(database.db);
    return {
      stores: [createSqlStore({ database }), createSqlStore({ database })],
      close: async () => database.close(),
    };
  },
  runs: (many) => Math.min(many, 10),
};
