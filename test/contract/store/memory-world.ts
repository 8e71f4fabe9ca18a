import { createMemoryStore } from "#store/memory-store.ts";
import type { World } from "./world.ts";

export const memoryWorld: World = {
  name: "the store in memory",
  need: () => undefined,
  open: async () => {
    const store = createMemoryStore();
    return { stores: [store, store], close: async () => undefined };
  },
  runs: (many) => many,
};
