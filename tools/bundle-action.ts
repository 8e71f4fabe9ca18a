import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import * as z from "zod";

const entry = "src/action/main.ts";
export const actionBundle = "action/index.js";

/** Some packages are CommonJS and ask for Node's modules, which a bundle of ES modules has no word for. */
const requireShim =
  'import { createRequire as droverCreateRequire } from "node:module"; const require = droverCreateRequire(import.meta.url);';

/**
 * The Action as one file: a runner takes it from a release commit and installs nothing. Anybody can build it again and
 * compare, so the same tree must give the same bytes: no source map, no paths, no time.
 */
export async function readActionBundle(root: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: actionBundle,
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    legalComments: "eof",
    charset: "utf8",
    banner: { js: requireShim },
    logLevel: "silent",
    plugins: [oneLanguage, versionOnly(root)],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${entry} gave no bundle`);
  return file.contents;
}

/** The schema library brings its words in some fifty languages, a fifth of the whole file. Drover speaks one of them. */
const oneLanguage: Plugin = {
  name: "one language",
  setup: (plugin) => {
    plugin.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** Of the manifest the program needs its version alone; the rest would change the bundle with every package. */
function versionOnly(root: string): Plugin {
  return {
    name: "version only",
    setup: (plugin) => {
      plugin.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
        if (path !== join(root, "package.json")) return null;
        const { version } = Manifest.parse(JSON.parse(await readFile(path, "utf8")));
        return { contents: JSON.stringify({ version }), loader: "json" };
      });
    },
  };
}

const Manifest = z.object({ version: z.string() });
