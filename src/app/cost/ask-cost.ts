import { type CostAsked, costPath } from "#app/cost/cost-api.ts";
import { openDataFolder } from "#app/serve/data-folder.ts";
import { findServerFile, type ServerFile } from "#app/serve/server-file.ts";
import { CostOverview } from "#core/budget/cost-overview.ts";
import { DatabaseError } from "#database/database-error.ts";
import { openDatabase } from "#database/open-database.ts";
import type { Log } from "#ports/log.ts";
import { readCost } from "#store/read-cost.ts";

export interface CostPlace {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
}

/** Answered by the server where one has the folder, else read directly. */
export async function askCost({ dataFolder, databaseUrl }: CostPlace, asked: CostAsked): Promise<CostOverview> {
  if (databaseUrl !== undefined && databaseUrl !== "") {
    return await readDirectly({ kind: "postgres", url: databaseUrl }, asked);
  }
  const folder = await openDataFolder(dataFolder);
  try {
    return await readDirectly({ kind: "embedded", folder: folder.database }, asked);
  } catch (error) {
    const server = await findServerFile(folder.serverFile);
    if (!(error instanceof DatabaseError) || error.kind !== "in_use" || server === undefined) throw error;
    return await askServer(server, asked);
  }
}

async function readDirectly(place: Parameters<typeof openDatabase>[0], asked: CostAsked): Promise<CostOverview> {
  const database = await openDatabase(place, { log: silentLog });
  try {
    return await readCost(database.db, asked);
  } finally {
    await database.close();
  }
}

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const askMsMax = 10_000;

async function askServer({ url, token }: ServerFile, asked: CostAsked): Promise<CostOverview> {
  const answer = await fetch(`${url}${costPath}`, {
    method: "POST",
    body: JSON.stringify(asked),
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(askMsMax),
  });
  if (!answer.ok) throw new Error(`the server at ${url} answered with ${answer.status}`);
  return CostOverview.parse(await answer.json());
}
