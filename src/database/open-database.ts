import { type Kysely, sql } from "kysely";
import { codeOf } from "#core/error-code.ts";
import type { Database } from "#database/database.ts";
import { DatabaseError } from "#database/database-error.ts";
import { migrationTable } from "#database/dump-format.ts";
import { explainPostgresError } from "#database/explain-postgres-error.ts";
import { migrate } from "#database/migrate.ts";
import { lockFolder, openEmbedded } from "#database/open-embedded.ts";
import { openPostgres } from "#database/open-postgres.ts";
import type { Tables } from "#database/tables.ts";
import type { Log } from "#ports/log.ts";

const fullCodes: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "53100"]);
const forbiddenCodes: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

const minuteMs = 60_000;

/** PGlite has no background processes. Without checkpoints a start reads a long log; without vacuum tables grow. */
const checkpointMs = minuteMs;
const vacuumMs = 10 * minuteMs;

export type DatabaseLocation =
  | { readonly kind: "embedded"; readonly folder: string }
  | {
      readonly kind: "postgres";
      readonly url: string;
      /** Locked, as the folder of an embedded database is. Absent: no folder belongs to it. */
      readonly lockFolder?: string;
    };

export interface OpenOptions {
  readonly log: Log;
  readonly housekeeping?: Omit<HousekeepingOptions, "onError">;
  /** Called when another process has taken the folder: this one must end. An embedded database refuses everything. */
  readonly onLost?: (error: DatabaseError) => void;
  /** Refuses a PostgreSQL without tables of Drover instead of making them. */
  readonly mustExist?: boolean;
}

/** Also checks durability, migrates, and keeps house in an embedded one. A `DatabaseError` says what to do. */
export async function openDatabase(location: DatabaseLocation, options: OpenOptions): Promise<Database> {
  if (location.kind === "embedded") return await openInFolder(location.folder, options);
  const { url, lockFolder: folder } = location;
  requireAddress(url);
  return folder === undefined ? await openOnServer(url, options) : await openBesideFolder({ url, folder }, options);
}

const protocols: ReadonlySet<string> = new Set(["postgres:", "postgresql:", "socket:"]);

/** The driver takes any text for a host name. The URL of a socket may have no host. The text may hold a password. */
function requireAddress(url: string): void {
  const whole = url.replace("@/", "@localhost/");
  if (url.startsWith("/") || (URL.canParse(whole) && protocols.has(new URL(whole).protocol))) return;
  throw new DatabaseError(
    "refused",
    "DATABASE_URL is not the address of a PostgreSQL database. It looks like postgres://user:password@host:5432/database.",
  );
}

/** The folder first: a process that is refused has not disturbed the other one. */
async function openBesideFolder(
  { url, folder }: { readonly url: string; readonly folder: string },
  options: OpenOptions,
): Promise<Database> {
  const lock = await lockFolder(folder, options.onLost).catch((error: unknown) => {
    throw explainFolderError(folder, error);
  });
  try {
    const database = await openOnServer(url, options);
    return {
      ...database,
      close: async () => {
        try {
          await database.close();
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openInFolder(folder: string, { log, housekeeping, onLost }: OpenOptions): Promise<Database> {
  const database = await openEmbedded({ folder, onLost }).catch((error: unknown) => {
    throw explainFolderError(folder, error);
  });
  await migrateOrClose(database, log).catch((error: unknown) => {
    throw explainFolderError(folder, error);
  });
  const keeping = startHousekeeping(database.db, {
    ...housekeeping,
    onError: (error) => log.warn({ error: String(error) }, "housekeeping of the database failed"),
  });
  return {
    ...database,
    close: async () => {
      await keeping.stop();
      await database.close();
    },
  };
}

async function openOnServer(url: string, { log, mustExist = false }: OpenOptions): Promise<Database> {
  const { schema, hasTables } = await findSchema(url).catch((error: unknown) => {
    throw explainPostgresError(url, error);
  });
  if (mustExist && !hasTables) {
    throw new DatabaseError("refused", "There are no tables of Drover's in the database that DATABASE_URL names.");
  }
  const database = openPostgres(url, { schema });
  await migrateOrClose(database, log).catch((error: unknown) => {
    throw explainPostgresError(url, error);
  });
  return database;
}

/** Null: the user has none. Pinned, or a schema with our user's name, made by another role, would take its place. */
async function findSchema(url: string): Promise<{ readonly schema: string | null; readonly hasTables: boolean }> {
  const database = openPostgres(url);
  try {
    await checkVersion(database.db);
    const { rows } = await sql<{ schema: string | null; has_tables: boolean }>`
      select current_schema()::text as schema, exists (
        select from pg_catalog.pg_tables where schemaname = current_schema() and tablename = ${migrationTable}
      ) as has_tables
    `.execute(database.db);
    return { schema: rows[0]?.schema ?? null, hasTables: rows[0]?.has_tables ?? false };
  } finally {
    await database.close();
  }
}

/** The first with everything that our statements use, and the oldest that PostgreSQL maintains. */
const serverVersionMin = 130_000;

async function checkVersion(db: Kysely<Tables>): Promise<void> {
  const found = await sql<{ number: string; name: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as name
  `.execute(db);
  const version = found.rows[0];
  if (version === undefined || Number(version.number) < serverVersionMin) {
    const minimum = Math.floor(serverVersionMin / 10_000);
    throw new DatabaseError(
      "too_old",
      `The PostgreSQL server is version ${version?.name}; Drover needs ${minimum} or newer. Upgrade it, or name another in DATABASE_URL.`,
    );
  }
}

async function migrateOrClose(database: Database, log: Log): Promise<void> {
  try {
    const onWait = (holder: string): void =>
      log.warn({ holder }, "waiting for another process that brings the tables up to date");
    const made = await migrate(database.db, undefined, { onWait });
    if (made.length > 0) log.info({ migrations: made }, "database is up to date");
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface HousekeepingOptions {
  readonly checkpointMs?: number;
  readonly vacuumMs?: number;
  readonly onError: (error: unknown) => void;
}

interface Housekeeping {
  stop(): Promise<void>;
}

/** Both block the one connection, for milliseconds with tables of our size. */
export function startHousekeeping(db: Kysely<Tables>, options: HousekeepingOptions): Housekeeping {
  let last = Promise.resolve();
  const every = (ms: number, statement: string): NodeJS.Timeout => {
    let isUnderWay = false;
    const timer = setInterval(() => {
      // Queued rounds would block the connection for nothing, and delay the end.
      if (isUnderWay) return;
      isUnderWay = true;
      last = last
        .then(() => run(statement))
        .finally(() => {
          isUnderWay = false;
        });
    }, ms);
    timer.unref();
    return timer;
  };
  const run = async (statement: string): Promise<void> => {
    try {
      await db.connection().execute((connection) => sql.raw(statement).execute(connection));
    } catch (error) {
      options.onError(error);
    }
  };
  const timers = [
    every(options.checkpointMs ?? checkpointMs, "checkpoint"),
    every(options.vacuumMs ?? vacuumMs, "vacuum (analyze)"),
  ];
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await last;
    },
  };
}

export function explainFolderError(folder: string, error: unknown): unknown {
  if (error instanceof DatabaseError) return error;
  const code = codeOf(error);
  if (fullCodes.has(code)) {
    return new DatabaseError("disk_full", `The disk of ${folder} is full. Make room and start again.`, {
      cause: error,
    });
  }
  return forbiddenCodes.has(code)
    ? new DatabaseError(
        "not_writable",
        `Drover cannot write to ${folder} (${code}). Give it a folder that its user may write, with --data.`,
        { cause: error },
      )
    : error;
}
