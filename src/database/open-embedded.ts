import { PGlite, types } from "@electric-sql/pglite";
import { Kysely } from "kysely";
import type { Database } from "#database/database.ts";
import { pgliteDialect } from "#database/pglite-dialect.ts";
import type { Tables } from "#database/tables.ts";

/** Opens the database in a folder of this machine, which is made if it is not there. Without a folder: in memory. */
export async function openEmbedded({ folder }: { readonly folder?: string } = {}): Promise<Database> {
  const pglite = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    parsers: { [types.INT8]: Number },
  });
  const db = new Kysely<Tables>({ dialect: pgliteDialect(pglite) });
  return {
    kind: "embedded",
    db,
    listen: async (channel, onNotice) => {
      const stop = await pglite.listen(channel, onNotice);
      return { stop };
    },
    close: async () => {
      await db.destroy();
      await pglite.close();
    },
  };
}
