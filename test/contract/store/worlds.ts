import { memoryWorld } from "./memory-world.ts";
import type { World } from "./world.ts";

/** All implementations of the port: one suite, run over each. */
export const worlds: readonly { readonly name: string; readonly open: () => Promise<World> }[] = [
  { name: "the store in memory", open: memoryWorld },
];
