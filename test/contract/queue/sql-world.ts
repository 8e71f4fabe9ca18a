import { randomUUID } from "node:crypto";
import { InstanceId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import { createQueueTurns } from "#queues/queue-turns.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import type { World, WorldOptions } from "./world.ts";

/** Two workers on one database, each over its own way in. Nobody else has their instance. */
export function sqlWorld(databases: readonly [Database, Database], { limits = {} }: WorldOptions = {}): World {
  const clock = createVirtualClock(at(0));
  const instance = InstanceId.parse(randomUUID());
  const turns = createQueueTurns();
  const queueOn = (database: Database, seed: number) =>
    createSqlQueue({ database, instance, random: createSeededRandom(seed), limits, turns, now: () => clock.now() });
  return {
    queues: [queueOn(databases[0], 1), queueOn(databases[1], 2)],
    now: () => clock.now(),
    pass: async (ms) => clock.set(after(clock.now(), ms)),
    close: async () => {
      await databases[0].db.deleteFrom("queue_place").where("instance", "=", instance).execute();
    },
  };
}
