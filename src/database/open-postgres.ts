import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database } from "#database/database.ts";
import type { Tables } from "#database/tables.ts";

const connectionsMax = 10;
const connectMsMax = 10_000;

/** Opens a PostgreSQL server's database. Nothing is checked or changed yet. */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    application_name: "drover",
    types: { getTypeParser: parserOf },
  });
  // A connection that breaks while nobody uses it is dropped by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: "postgres",
    db,
    listen: async () => {
      throw new Error("not yet");
    },
    close: () => db.destroy(),
  };
}

/** Times and counts come as strings by default, since not every int8 is a safe number. Ours are. */
const parserOf: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
