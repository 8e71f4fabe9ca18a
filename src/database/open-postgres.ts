import { Kysely, PostgresDialect } from "kysely";
import { Pool, types } from "pg";
import type { Database } from "#database/database.ts";
import { endWhenIdle } from "#database/postgres/connection-idle-timeout.ts";
import { connectionOptions } from "#database/postgres/connection-options.ts";
import { listenOnPostgres } from "#database/postgres/listen-on-postgres.ts";
import type { Tables } from "#database/tables.ts";

const connectionsMax = 10;
const idleMsMax = 10_000;

export function openPostgres(url: string, settings: PostgresSettings = {}): Database {
  const pool = new Pool({
    ...connectionOptions(url),
    ...searchPath(settings.schema ?? null),
    max: connectionsMax,
    idleTimeoutMillis: idleMsMax,
    types: { getTypeParser: parserOf },
  });
  // Without listeners a broken connection, idle or in use, would end the process. Its user sees the failure anyway.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    endWhenIdle(client, settings.silenceMs);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: "postgres",
    db,
    listen: (channel, onNotice) => listenOnPostgres({ url, channel, onNotice }),
    close: () => db.destroy(),
  };
}

interface PostgresSettings {
  readonly silenceMs?: number;
  /** Beside PostgreSQL's own. Null: as the server sets it. */
  readonly schema?: string | null;
}

/** What the address itself sets in `options` wins. */
function searchPath(schema: string | null): { readonly options?: string } {
  if (schema === null) return {};
  // Options are split at spaces, unless there is a backslash before them.
  const quoted = `"${schema.replaceAll('"', '""')}"`.replace(/[\\\s]/g, (character) => `\\${character}`);
  return { options: `-c search_path=${quoted}` };
}

/** The driver reads int8 as a string, since not every one is a safe number. Ours are. */
const parserOf: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === int8 ? Number : types.getTypeParser(oid, format);

const int8: number = types.builtins.INT8;
