import { after } from "#core/model/instant.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import type { World, WorldOptions } from "./world.ts";

export async function memoryWorld({ limits = {} }: WorldOptions = {}): Promise<World> {
  const clock = createVirtualClock(at(0));
  const queue = createMemoryQueue({ clock, random: createSeededRandom(1), limits });
  return {
    queues: [queue, queue],
    now: () => clock.now(),
    // Nobody sleeps here, so that nobody has to be woken.
    pass: async (ms) => clock.set(after(clock.now(), ms)),
    close: async () => undefined,
  };
}
