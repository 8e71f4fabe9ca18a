import { OverviewTold, queuePaths, RetryTold } from "#app/queue/queue-api.ts";
import { createQueueDesk, type QueueDesk } from "#app/queue/queue-desk.ts";
import { askServer, type DataPlace, reachData } from "#app/serve/reach-data.ts";
import type { ServerFile } from "#app/serve/server-file.ts";
import type { Database } from "#database/database.ts";

/** What the command line asks for: answered by the server where one has the folder, else read directly. */
export interface AskedQueue {
  overview(): Promise<OverviewTold>;
  retry: QueueDesk["retry"];
  close(): Promise<void>;
}

export async function openQueueDesk(place: DataPlace): Promise<AskedQueue> {
  return await reachData(place, {
    directly: async (database) => openDirectly(database),
    byServer: async (server) => atServer(server),
  });
}

function openDirectly(database: Database): AskedQueue {
  const desk = createQueueDesk(database);
  return {
    overview: async () => OverviewTold.parse(await desk.overview()),
    retry: (entry) => desk.retry(entry),
    close: () => database.close(),
  };
}

function atServer(server: ServerFile): AskedQueue {
  return {
    overview: async () => OverviewTold.parse(await askServer(server, queuePaths.overview)),
    retry: async (entry) => RetryTold.parse(await askServer(server, queuePaths.retry, entry)).outcome,
    close: async () => undefined,
  };
}
