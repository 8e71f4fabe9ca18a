import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/** Bundles a program of a few lines that imports from the project, and answers with the script. Packages stay outside. */
export async function bundleProgram(program: {
  readonly root: string;
  readonly name: string;
  readonly lines: string;
  readonly plugins: readonly Plugin[];
}): Promise<string> {
  const { root, name, lines, plugins } = program;
  // Within node_modules, so that packages are found from there.
  const folder = join(root, "node_modules/.cache/drover/mutants");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}.${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    stdin: { contents: lines, resolveDir: root, sourcefile: "program.ts", loader: "ts" },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "silent",
    plugins: [...plugins],
  });
  return outfile;
}
