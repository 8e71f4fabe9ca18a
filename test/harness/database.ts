import { inject } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { never } from "#core/never.ts";
import type { Clock } from "#ports/clock.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Random } from "#ports/random.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import type { UnderWay } from "#testing/virtual-clock.ts";
import { openEmbeddedDatabase, openPostgresDatabase } from "./sql-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What the harnesses of this run keep their memory in; see vitest.config.ts. */
    readonly harnessEngine: HarnessEngine;
    /** Quick tests open none, and see the ports in memory alone; see tools/test-tiers.ts. */
    readonly mayOpenDatabases: boolean;
  }
}

export type HarnessEngine = "memory" | "embedded" | "postgres";

/** Where the Drovers of one harness keep what they remember. */
export interface HarnessDatabase {
  /** An installation with this name. No other harness has the same one. */
  settle(name: string, place: { readonly clock: Clock; readonly random: Random }): Installation;
  /** Nothing is left of it, for nobody. */
  lose(): Promise<void>;
  readonly underWay: UnderWay;
}

export type Installation = Pick<Dependencies, "instance" | "store" | "queue">;

export async function openHarnessDatabase(): Promise<HarnessDatabase> {
  const engine = inject("harnessEngine");
  switch (engine) {
    case "memory":
      return memoryDatabase;
    case "embedded":
      return await openEmbeddedDatabase();
    case "postgres":
      return await openPostgresDatabase();
    default:
      return never(engine);
  }
}

/** Whoever settles gets an empty one, so there is nothing to be lost but by settling anew. */
const memoryDatabase: HarnessDatabase = {
  settle: (name, { clock, random }) => ({
    instance: InstanceId.parse(name),
    store: createMemoryStore(),
    queue: createMemoryQueue({ clock, random }),
  }),
  lose: async () => undefined,
  underWay: () => undefined,
};
