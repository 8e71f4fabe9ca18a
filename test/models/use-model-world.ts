import { afterAll, beforeAll, beforeEach } from "vitest";
import { type ModelWorld, openModelWorld } from "./model-world.ts";

/** One world for the tests of a file, which begins anew with each of them. */
export function useModelWorld(use: (world: ModelWorld) => void): void {
  let world: ModelWorld;
  beforeAll(async () => {
    world = await openModelWorld();
    use(world);
  });
  beforeEach(() => {
    world.renew();
  });
  afterAll(async () => {
    await world.close();
  });
}
