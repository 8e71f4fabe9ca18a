import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { memoryWorld } from "./memory-world.ts";
import { limits, playCalls, someCalls } from "./whole-port.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("every call of $name", ({ open, runs, need }) => {
  beforeEach(need);

  it("answers as the queue in memory does, after whatever calls", async () => {
    await fc.assert(
      fc.asyncProperty(someCalls, async (calls) => {
        const world = await open({ limits });
        const told = await playCalls(world, calls);
        await world.close();
        expect(told).toEqual(await playCalls(await memoryWorld({ limits }), calls));
      }),
      { numRuns: runs },
    );
  });
});
