import { createQueueAdmin, type QueueAdmin } from "#app/queue/queue-admin.ts";
import { QueueOverviewResponse, QueueRetryResponse, queuePaths } from "#app/queue/queue-api.ts";
import { askServer, type DataLocation, withServerOrDatabase } from "#app/serve/data-access.ts";
import type { ServerFile } from "#app/serve/server-file.ts";
import type { Database } from "#database/database.ts";

export interface QueueClient {
  overview(): Promise<QueueOverviewResponse>;
  retry: QueueAdmin["retry"];
  close(): Promise<void>;
}

export async function openQueueClient(location: DataLocation): Promise<QueueClient> {
  return await withServerOrDatabase(location, {
    directly: async (database) => openDirectly(database),
    byServer: async (server) => atServer(server),
  });
}

function openDirectly(database: Database): QueueClient {
  const admin = createQueueAdmin(database);
  return {
    overview: async () => QueueOverviewResponse.parse(await admin.overview()),
    retry: (entry) => admin.retry(entry),
    close: () => database.close(),
  };
}

function atServer(server: ServerFile): QueueClient {
  return {
    overview: async () => QueueOverviewResponse.parse(await askServer(server, queuePaths.overview)),
    retry: async (entry) => QueueRetryResponse.parse(await askServer(server, queuePaths.retry, entry)).outcome,
    close: async () => undefined,
  };
}
