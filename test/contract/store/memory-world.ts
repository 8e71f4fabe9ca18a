import { createMemoryStore } from "#store/memory-store.ts";
import type { World } from "./world.ts";

export async function memoryWorld(): Promise<World> {
  const store = createMemoryStore();
  return { stores: [store, store], close: async () => undefined };
}
