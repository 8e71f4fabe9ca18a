import { afterAll, beforeEach, inject } from "vitest";
import { embeddedWorld } from "./embedded-world.ts";
import { memoryWorld } from "./memory-world.ts";
import { postgresWorld } from "./postgres-world.ts";
import type { OpenWorld, Stores, World } from "./world.ts";

/** One suite for all implementations of the port: in memory in the quick project, on SQL in that of databases. */
export const worlds: readonly World[] = inject("mayOpenDatabases") ? [embeddedWorld, postgresWorld] : [memoryWorld];

/** Opens the world for the tests of a suite, when the first one that is not skipped begins. */
export function useStores(world: World, use: (stores: Stores) => void): void {
  let opened: OpenWorld | undefined;
  beforeEach(async (test) => {
    world.need(test);
    opened ??= await world.open();
    use(opened.stores);
  });
  afterAll(async () => opened?.close());
}
