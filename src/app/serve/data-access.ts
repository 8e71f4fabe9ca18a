import { openDataFolder, requireDatabase } from "#app/serve/data-folder.ts";
import { findServerFile, type ServerFile } from "#app/serve/server-file.ts";
import type { Database } from "#database/database.ts";
import { DatabaseError } from "#database/database-error.ts";
import { openDatabase } from "#database/open-database.ts";
import type { Log } from "#ports/log.ts";

export interface DataLocation {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
}

export interface DataAccessPaths<Reached> {
  readonly directly: (database: Database) => Promise<Reached>;
  readonly byServer: (server: ServerFile) => Promise<Reached>;
}

/** Creates nothing where Drover has never worked, and tells the caller. */
export async function withServerOrDatabase<Reached>(
  location: DataLocation,
  ways: DataAccessPaths<Reached>,
): Promise<Reached> {
  const { dataFolder, databaseUrl } = location;
  if (databaseUrl !== undefined && databaseUrl !== "") {
    return await ways.directly(
      await openDatabase({ kind: "postgres", url: databaseUrl }, { log: silentLog, mustExist: true }),
    );
  }
  await requireDatabase(dataFolder);
  const folder = await openDataFolder(dataFolder);
  const opened = await openDatabase({ kind: "embedded", folder: folder.database }, { log: silentLog }).catch(
    async (error: unknown) => {
      const server = await findServerFile(folder.serverFile);
      if (!(error instanceof DatabaseError) || error.kind !== "in_use" || server === undefined) throw error;
      return server;
    },
  );
  return "token" in opened ? await ways.byServer(opened) : await ways.directly(opened);
}

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const askMsMax = 10_000;

/** "Not found" has a body of its own and is an answer. */
export async function askServer({ url, token }: ServerFile, path: string, asked?: unknown): Promise<unknown> {
  const sent = asked === undefined ? {} : { method: "POST", body: JSON.stringify(asked) };
  const answer = await fetch(`${url}${path}`, {
    ...sent,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(askMsMax),
  });
  if (!answer.ok && answer.status !== 404) throw new Error(`the server at ${url} answered with ${answer.status}`);
  return await answer.json();
}
