import { memoryWorld } from "./memory-world.ts";
import type { World } from "./world.ts";

/** All implementations of the port: one suite, run over each. */
export const worlds: readonly { readonly name: string; readonly open: () => Promise<World> }[] = [
  { name: "the queue in memory", open: memoryWorld },
];
