import { memoryWorld } from "./memory-world.ts";
import { realWorld } from "./real-world.ts";
import type { World } from "./world.ts";

/** Both implementations of the port: one suite, run over each. */
export const worlds: readonly { readonly name: string; readonly open: () => Promise<World> }[] = [
  { name: "real git", open: realWorld },
  { name: "git in memory", open: memoryWorld },
];
