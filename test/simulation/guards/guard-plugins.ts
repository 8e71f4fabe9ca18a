import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin as VitePlugin } from "vite";
import * as z from "zod";
import type { Guard } from "./guard.ts";
import { removeGuard } from "./remove-guard.ts";

/** What takes a guard out of its file while the file is loaded, so that nothing on the disk changes. */

export function esbuildPlugin(guard: Guard, root: string): EsbuildPlugin {
  const path = join(root, guard.file);
  return {
    name: "remove-guard",
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== path) return undefined;
        return { contents: removeGuard(guard, await readFile(path, "utf8")), loader: "ts" };
      });
    },
  };
}

/** What `vitest.config.ts` reads, so that the guard is gone in every project. */
export const removedGuardVariable = "DROVER_REMOVED_GUARD";

export const RemovedGuard = z.object({
  name: z.string(),
  why: z.string(),
  file: z.string(),
  text: z.string(),
  instead: z.string(),
});

export function vitePlugins(env: NodeJS.ProcessEnv, root: string): readonly VitePlugin[] {
  const told = env[removedGuardVariable];
  if (told === undefined) return [];
  const guard = RemovedGuard.parse(JSON.parse(told));
  const path = join(root, guard.file);
  return [
    {
      name: "remove-guard",
      enforce: "pre",
      transform: (code, id) => (id.split("?")[0] === path ? { code: removeGuard(guard, code), map: null } : null),
    },
  ];
}
