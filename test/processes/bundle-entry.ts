import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { type Plant, plantPlugin } from "./plant.ts";

/**
 * Bundles a TypeScript entry of the project into a script that Node runs as a process of its own, and answers with its
 * path. Packages stay outside: what they read from their own folders is found. The name is that of the content, so that
 * a run of an hour starts the same program from its first process to its last, whatever is edited meanwhile.
 */
export async function bundleEntry(path: string, plants: readonly Plant[] = []): Promise<string> {
  // Of the project, for tests and tools alike; whoever bundles this file has it elsewhere.
  const root = process.cwd();
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    write: false,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "inline",
    logLevel: "silent",
    plugins: [plantPlugin(root, plants)],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${path} gave no bundle`);
  const digest = createHash("sha256").update(file.contents).digest("hex").slice(0, 16);
  const folder = join(root, "node_modules/.cache/drover/processes");
  const target = join(folder, `${path.replaceAll("/", "-").replace(/\.ts$/, "")}-${digest}.mjs`);
  await mkdir(folder, { recursive: true });
  // Written beside and renamed: another run may be starting the same one at this moment.
  const draft = `${target}.${randomUUID()}`;
  await writeFile(draft, file.contents);
  await rename(draft, target);
  return target;
}
