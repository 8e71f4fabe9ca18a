import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { openDataFolder, requireDatabase } from "#app/serve/data-folder.ts";
import type { Database } from "#database/database.ts";
import { DumpError } from "#database/dump-format.ts";
import { fsyncFolderSync } from "#database/embedded/fsync-folder.ts";
import { openDatabase } from "#database/open-database.ts";
import { checkDump, readDump } from "#database/read-dump.ts";
import { writeDump } from "#database/write-dump.ts";
import type { Log } from "#ports/log.ts";

export type MovePlace =
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "embedded"; readonly dataFolder: string };

export type RowCounts = Readonly<Record<string, number>>;

/** Writes a file that must not exist yet and creates no database. */
export async function exportDatabase(place: MovePlace, file: string): Promise<RowCounts> {
  if (place.kind === "embedded") await requireDatabase(place.dataFolder);
  return await withDatabase(
    place,
    { mustExist: true },
    async (database) => await writeFileAtomically(file, async (write) => await writeDump(database, write)),
  );
}

/** All or nothing. A broken dump creates no database either. */
export async function importDatabase(place: MovePlace, file: string): Promise<RowCounts> {
  await checkDump(linesOf(file));
  return await withDatabase(place, { mustExist: false }, async (database) => await readDump(database, linesOf(file)));
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, "utf8");
  try {
    await once(input, "open");
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    input.destroy();
  }
}

async function withDatabase<Result>(
  place: MovePlace,
  { mustExist }: { readonly mustExist: boolean },
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(await databaseAt(place), { log: silentLog, mustExist });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

async function databaseAt(place: MovePlace): Promise<Parameters<typeof openDatabase>[0]> {
  if (place.kind === "postgres") return place;
  return { kind: "embedded", folder: (await openDataFolder(place.dataFolder)).database };
}

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Writes a file that must not exist yet: under a temporary name first, so that a file with this name is whole. */
export async function writeFileAtomically<Result>(
  file: string,
  fill: (write: (line: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  await requireFree(file);
  const draft = `${file}.${process.pid}.part`;
  try {
    const result = await writeDraft(draft, fill);
    await requireFree(file);
    await rename(draft, file);
    fsyncFolderSync(dirname(file));
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function requireFree(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found !== undefined) throw new DumpError(`${file} is there already (EEXIST): name another file, or remove it`);
}

async function writeDraft<Result>(
  draft: string,
  fill: (write: (line: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const output = createWriteStream(draft, { flags: "w", mode: 0o600, flush: true });
  const ended = finished(output);
  // `ended` reports an error that no caller waits for.
  ended.catch(() => undefined);
  try {
    const result = await fill(async (line) => {
      if (!output.write(line)) await Promise.race([once(output, "drain"), ended]);
    });
    output.end();
    await ended;
    return result;
  } catch (error) {
    output.destroy();
    await ended.catch(() => undefined);
    throw error;
  }
}
