import { OverviewTold, queuePaths, RetryTold } from "#app/queue/queue-api.ts";
import { createQueueDesk, type QueueDesk } from "#app/queue/queue-desk.ts";
import { openDataFolder } from "#app/serve/data-folder.ts";
import { findServerFile, type ServerFile } from "#app/serve/server-file.ts";
import { DatabaseError } from "#database/database-error.ts";
import { openDatabase } from "#database/open-database.ts";
import type { Log } from "#ports/log.ts";

export interface QueuePlace {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
}

/** What the command line asks for: answered by the server where one has the folder, else read directly. */
export interface AskedQueue {
  overview(): Promise<OverviewTold>;
  retry: QueueDesk["retry"];
  close(): Promise<void>;
}

export async function openQueueDesk({ dataFolder, databaseUrl }: QueuePlace): Promise<AskedQueue> {
  if (databaseUrl !== undefined && databaseUrl !== "") {
    return await openDirectly({ kind: "postgres", url: databaseUrl });
  }
  const folder = await openDataFolder(dataFolder);
  try {
    return await openDirectly({ kind: "embedded", folder: folder.database });
  } catch (error) {
    const server = await findServerFile(folder.serverFile);
    if (!(error instanceof DatabaseError) || error.kind !== "in_use" || server === undefined) throw error;
    return askServer(server);
  }
}

async function openDirectly(place: Parameters<typeof openDatabase>[0]): Promise<AskedQueue> {
  const database = await openDatabase(place, { log: silentLog });
  const desk = createQueueDesk(database);
  return {
    overview: async () => OverviewTold.parse(await desk.overview()),
    retry: (entry) => desk.retry(entry),
    close: () => database.close(),
  };
}

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function askServer({ url, token }: ServerFile): AskedQueue {
  const ask = async (path: string, asked?: unknown): Promise<unknown> => {
    const sent = asked === undefined ? {} : { method: "POST", body: JSON.stringify(asked) };
    const answer = await fetch(`${url}${path}`, {
      ...sent,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(askMsMax),
    });
    if (!answer.ok && answer.status !== 404) throw new Error(`the server at ${url} answered with ${answer.status}`);
    return await answer.json();
  };
  return {
    overview: async () => OverviewTold.parse(await ask(queuePaths.overview)),
    retry: async (entry) => RetryTold.parse(await ask(queuePaths.retry, entry)).outcome,
    close: async () => undefined,
  };
}

const askMsMax = 10_000;
