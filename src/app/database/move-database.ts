import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { writeWholeFile } from "#app/database/whole-file.ts";
import type { Database } from "#database/database.ts";
import { openDatabase } from "#database/open-database.ts";
import { readDump } from "#database/read-dump.ts";
import { writeDump } from "#database/write-dump.ts";
import type { Log } from "#ports/log.ts";

export type MovePlace = Parameters<typeof openDatabase>[0];

export type RowCounts = Readonly<Record<string, number>>;

/** Writes everything in a database into a file that must not be there yet. A file that is there is whole. */
export async function exportDatabase(place: MovePlace, file: string): Promise<RowCounts> {
  return await withDatabase(
    place,
    async (database) => await writeWholeFile(file, async (write) => await writeDump(database, write)),
  );
}

/** Fills an empty database from such a file, all or nothing. */
export async function importDatabase(place: MovePlace, file: string): Promise<RowCounts> {
  return await withDatabase(place, async (database) => await readDump(database, linesOf(file)));
}

/** The reader begins when somebody asks for the first line: what it reads earlier than that, it forgets. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, "utf8");
  try {
    await once(input, "open");
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    input.destroy();
  }
}

async function withDatabase<Result>(place: MovePlace, use: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(place, { log: silentLog });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Whoever calls is told by the result. */
const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
