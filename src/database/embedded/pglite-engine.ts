// oxlint-disable no-underscore-dangle -- These are PGlite's names.
import { PGlite, types } from "@electric-sql/pglite";
import { DatabaseError } from "#database/database-error.ts";
import type { SyncedFiles } from "#database/embedded/synced-files.ts";

/** PostgreSQL leaves with this status when a statement failed in an orderly manner. */
const orderlyStatus = 100;

/** One connection: callers wait for the answer before theirs. */
export interface PgliteEngine {
  query<Row>(statement: string, parameters: readonly unknown[]): Promise<EngineResult<Row>>;
  listen(channel: string, onNotice: () => void): Promise<() => Promise<void>>;
  isBroken(): boolean;
  /** Refuses every later call with this error, and writes nothing more, not even when it is closed. */
  breakOff(error: DatabaseError): void;
  close(): Promise<void>;
}

export interface EngineResult<Row> {
  readonly rows: Row[];
  readonly affectedRows?: number;
}

export interface PgliteEngineOptions {
  readonly files?: SyncedFiles;
  readonly startParameters: readonly string[];
  /** For tests: starting from a dump takes a fifth of the time of a new database. */
  readonly template?: Blob;
}

export async function startPgliteEngine({
  files,
  startParameters,
  template,
}: PgliteEngineOptions): Promise<PgliteEngine> {
  const words = lastWords();
  const pglite = await PGlite.create({
    ...(files === undefined ? {} : { fs: files }),
    ...(template === undefined ? {} : { loadDataDir: template }),
    startParams: [...startParameters],
    parsers: { [types.INT8]: Number },
    onStderr: words.hear,
  }).catch((error: unknown) => {
    files?.abandon();
    throw startError({ lastWord: words.last(), files, cause: error });
  });
  const guard = guardModule(pglite.Module, (cause) => brokenError({ lastWord: words.last(), files, cause }));
  return {
    query: async <Row>(statement: string, parameters: readonly unknown[]) => {
      guard.check();
      return await pglite.query<Row>(statement, [...parameters]);
    },
    listen: async (channel, onNotice) => {
      guard.check();
      // In quotes, else PGlite would fold capitals, and the server that notifies does not.
      await pglite.listen(`"${channel}"`, onNotice);
      return async () => {
        if (!guard.isBroken()) await pglite.unlisten(`"${channel}"`, onNotice);
      };
    },
    isBroken: () => guard.isBroken(),
    breakOff: (error) => guard.breakOff(error),
    close: async () => {
      if (guard.isBroken()) files?.abandon();
      else await pglite.close();
    },
  };
}

const wordsMax = 20;

/** PGlite's own errors do not hold what PostgreSQL said last. */
function lastWords(): { readonly hear: (line: string) => boolean; readonly last: () => string } {
  const lines: string[] = [];
  return {
    hear: (line) => {
      lines.push(line);
      if (lines.length > wordsMax) lines.shift();
      return false;
    },
    last: () => lines.findLast((line) => /\b(PANIC|FATAL):/.test(line)) ?? "",
  };
}

const fullCodes: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT"]);

interface Circumstances {
  readonly lastWord: string;
  readonly files: SyncedFiles | undefined;
  readonly cause: unknown;
}

function startError({ lastWord, files, cause }: Circumstances): DatabaseError {
  const isFull = fullCodes.has(files?.trouble);
  const advice = isFull
    ? "Its disk is full: make room."
    : "Its folder is damaged or of another version: put back a copy, or start with an empty folder.";
  const message = `The embedded database does not start: ${lastWord || String(cause)}. ${advice}`;
  return new DatabaseError(isFull ? "disk_full" : "damaged", message, { cause });
}

function brokenError({ lastWord, files, cause }: Circumstances): DatabaseError {
  const isFull = fullCodes.has(files?.trouble);
  const advice = isFull ? "Make room on its disk; it then goes on by itself." : "The next statement opens it again.";
  const message = `The embedded database stopped itself: ${lastWord || String(cause)}. ${advice}`;
  return new DatabaseError(isFull ? "disk_full" : "broken", message, { cause });
}

interface Guard {
  isBroken(): boolean;
  check(): void;
  /** Refuses every later call, though the engine itself works. */
  breakOff(error: DatabaseError): void;
}

/** After a panic PGlite keeps calling the broken engine, which answers nonsense or never. So no call may enter it. */
function guardModule(module: PGlite["Module"], errorFor: (cause: unknown) => DatabaseError): Guard {
  let broken: DatabaseError | undefined;
  const refuse = (): never => {
    throw broken ?? new Error("only a broken engine refuses");
  };
  const breakOff = (error: DatabaseError): void => {
    broken = error;
    module._PostgresMainLoopOnce = refuse;
    // The loop calls it for each error, outside of its own catch: an error thrown here ends the loop.
    module.stackRestore = refuse;
    module._PostgresSendReadyForQueryIfNecessary = () => undefined;
    module._pgl_pq_flush = () => undefined;
  };
  const loopOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      if (isOrderly(error)) throw error;
      breakOff(errorFor(error));
      throw error;
    }
  };
  return {
    breakOff,
    isBroken: () => broken !== undefined,
    check: () => {
      if (broken !== undefined) throw broken;
    },
  };
}

function isOrderly(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === orderlyStatus;
}
