import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { codeOf } from "#core/error-code.ts";
import type { Database } from "#database/database.ts";
import { DatabaseError } from "#database/database-error.ts";
import { type FolderLock, takeFolderLock } from "#database/embedded/folder-lock.ts";
import { fsyncFolderSync, fsyncTreeSync } from "#database/embedded/fsync-folder.ts";
import { type PgliteEngine, startPgliteEngine } from "#database/embedded/pglite-engine.ts";
import { createSingleConnection, type SingleConnection } from "#database/embedded/single-connection.ts";
import { SyncedFiles } from "#database/embedded/synced-files.ts";
import type { Tables } from "#database/tables.ts";

/** As PGlite starts PostgreSQL by itself: one process, without workers. */
const manner = ["--single", "-O", "-j"];

/** 4 to 16 MB make no difference to our queries; all of it is allocated at once. */
const sharedBuffers = "8MB";

/** With any other value of these a sync proves nothing. */
const wanted = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" } as const;

export interface EmbeddedOptions {
  readonly folder?: string;
  /** For tests: files that do less than they should. */
  readonly createFiles?: (folder: string) => SyncedFiles;
  /** For tests: making a database from it is quicker. */
  readonly template?: Blob;
  /** Called when another process has taken the folder, after our last write. */
  readonly onLost?: ((error: DatabaseError) => void) | undefined;
}

/** Keeps other processes out until it is closed. Without a folder it lives in memory. Nothing is migrated yet. */
export async function openEmbedded({ folder, ...options }: EmbeddedOptions = {}): Promise<Database> {
  return folder === undefined ? await openInMemory() : await openInFolder(folder, options);
}

async function openInMemory(): Promise<Database> {
  const engine = await startPgliteEngine({ startParameters: memoryStart });
  return toDatabase(createSingleConnection(engine, refuseToForget), async () => undefined);
}

/** A new engine in memory would be an empty one. */
async function refuseToForget(): Promise<never> {
  throw new DatabaseError("broken", "The database in memory stopped itself and what was in it is gone.");
}

async function openInFolder(folder: string, options: Omit<EmbeddedOptions, "folder">): Promise<Database> {
  const { createFiles = (path: string) => new SyncedFiles(path), template, onLost } = options;
  let room: SingleConnection | undefined;
  let lost: DatabaseError | undefined;
  const lock = await lockFolder(folder, (error) => {
    lost = error;
    room?.invalidate(error);
    onLost?.(error);
  });
  try {
    const place = join(folder, "engine");
    if (!existsSync(place)) await makeEngineFolder({ folder, place, createFiles, template });
    const open = (): Promise<PgliteEngine> => openEngine(createFiles(place), place);
    room = createSingleConnection(await open(), open);
    if (lost !== undefined) room.invalidate(lost);
    return toDatabase(room, async () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

export async function lockFolder(folder: string, onLost?: (error: DatabaseError) => void): Promise<FolderLock> {
  makeFolder(folder);
  return await takeFolderLock({ folder, ...(onLost === undefined ? {} : { onLost }) });
}

/** No other user of the machine has to read it. */
const folderMode = 0o700;

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: folderMode });
  } catch (error) {
    throw new DatabaseError(
      "not_writable",
      `The folder ${folder} cannot be made (${codeOf(error)}). Give Drover a folder that its user may write.`,
      { cause: error },
    );
  }
}

/** Under another name until all of it is on the disk: a file with the right name is whole. */
async function makeEngineFolder(options: {
  readonly folder: string;
  readonly place: string;
  readonly createFiles: (folder: string) => SyncedFiles;
  readonly template: Blob | undefined;
}): Promise<void> {
  const { folder, place, createFiles, template } = options;
  const draft = `${place}.new`;
  rmSync(draft, { recursive: true, force: true });
  const files = createFiles(draft);
  const engine = await startPgliteEngine({
    files,
    startParameters: durableStart,
    ...(template === undefined ? {} : { template }),
  });
  await engine.close();
  fsyncTreeSync(draft);
  renameSync(draft, place);
  fsyncFolderSync(folder);
}

async function openEngine(files: SyncedFiles, place: string): Promise<PgliteEngine> {
  // Left by a killed process: our own lock shows that none runs. If empty, PostgreSQL takes it for being written.
  rmSync(join(place, "postmaster.pid"), { force: true });
  const engine = await startPgliteEngine({ files, startParameters: durableStart });
  try {
    await checkDurability(engine, files);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function toDatabase(room: SingleConnection, onClosed: () => Promise<void>): Database {
  const db = new Kysely<Tables>({ dialect: pgliteDialect(room) });
  return {
    kind: "embedded",
    db,
    listen: async (channel, onNotice) => ({ stop: await room.listen(channel, onNotice) }),
    close: async () => {
      await db.destroy();
      await room.close();
      await onClosed();
    },
  };
}

/** One connection: its user delays the others until it is given back. */
export function pgliteDialect(room: SingleConnection): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(room),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(room: SingleConnection): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => createConnection(await room.acquire()),
    beginTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("begin"))),
    commitTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("commit"))),
    rollbackTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("rollback"))),
    releaseConnection: async () => room.release(),
    destroy: async () => undefined,
  };
}

function createConnection(engine: PgliteEngine): DatabaseConnection {
  return {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const { rows, affectedRows } = await engine.query<Row>(sql, parameters);
      return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) };
    },
    streamQuery: () => {
      throw new Error("PGlite has no cursors: read in pages");
    },
  };
}

/** Makes one commit that changes nothing, and checks that it has reached the disk. */
export async function checkDurability(engine: PgliteEngine, files: Pick<SyncedFiles, "walSyncs">): Promise<void> {
  for (const [name, value] of Object.entries(wanted)) {
    const found = await engine.query<{ value: string }>("select current_setting($1) as value", [name]);
    if (found.rows[0]?.value !== value) throw notDurable(`${name} is ${found.rows[0]?.value}`);
  }
  const before = files.walSyncs;
  await engine.query("select pg_logical_emit_message(true, 'drover', 'Does this reach the disk?')", []);
  if (files.walSyncs === before) throw notDurable("a commit was answered and its log had not been synced");
}

function notDurable(why: string): DatabaseError {
  return new DatabaseError(
    "not_durable",
    `The embedded database would lose data in a power cut: ${why}. This version of PGlite is not the one that Drover was made for; install Drover as released, or use PostgreSQL (DATABASE_URL).`,
  );
}

const settings = {
  search_path: "public",
  exit_on_error: "false",
  log_checkpoints: "false",
  max_worker_processes: "0",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  io_method: "sync",
  shared_buffers: sharedBuffers,
} as const;

/** The default way to sync, `fdatasync`, does nothing in PGlite. */
const durableSettings = {
  fsync: "on",
  wal_sync_method: "fsync",
  synchronous_commit: "on",
  full_page_writes: "on",
} as const;

/** Durable only with files that sync. */
export const durableStart: readonly string[] = startParameters({ ...settings, ...durableSettings });

export const memoryStart: readonly string[] = startParameters({ ...settings, fsync: "off" });

function startParameters(all: Readonly<Record<string, string>>): readonly string[] {
  return [...manner, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
