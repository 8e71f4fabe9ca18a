import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/** A mistake that somebody could make in the production code. It is put in while the file is bundled; nothing on the disk changes. */
export interface Plant {
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly instead: string;
}

export function plantPlugin(root: string, plants: readonly Plant[]): Plugin {
  return {
    name: "plant",
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const those = plants.filter(({ file }) => join(root, file) === path);
        if (those.length === 0) return undefined;
        return { contents: those.reduce(putIn, await readFile(path, "utf8")), loader: "ts" };
      });
    },
  };
}

function putIn(source: string, { file, text, instead }: Plant): string {
  const [before = "", after, ...more] = source.split(text);
  if (after === undefined || more.length > 0) throw new Error(`the place for a plant is not once in ${file}: ${text}`);
  return `${before}${instead}${after}`;
}
