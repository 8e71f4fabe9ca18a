import { createSystemRandom } from "#app/system-random.ts";
import type { InstanceId } from "#core/model/ids.ts";
import type { Database } from "#database/database.ts";
import type { EntryRef } from "#ports/queue.ts";
import { type QueueCounts, type QueueOverview, readQueueCounts, readQueueOverview } from "#queues/queue-overview.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";

export interface QueueAdmin {
  overview(): Promise<QueueOverview>;
  counts(): Promise<readonly QueueCounts[]>;
  retry(entry: EntryRef & { readonly instance: InstanceId }): Promise<"put_back" | "not_there">;
}

export function createQueueAdmin(database: Database): QueueAdmin {
  const random = createSystemRandom();
  return {
    overview: () => readQueueOverview(database.db),
    counts: () => readQueueCounts(database.db),
    retry: ({ instance, queue, key }) => createSqlQueue({ database, instance, random }).restore({ queue, key }),
  };
}
