import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles an entry of this folder into a script that Node runs as a process of its own, and answers with its path. The
 * benches are bundled themselves, so paths begin at the folder in which the tools run, the root of the project.
 */
export async function bundleProgram(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "inline",
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${entry} gave no bundle`);
  const digest = createHash("sha256").update(file.contents).digest("hex").slice(0, digestCharacters);
  const folder = join(process.cwd(), "node_modules/.cache/drover/bench-programs");
  await mkdir(folder, { recursive: true });
  const target = join(folder, `${entry.replaceAll("/", "-").replace(/\.ts$/, "")}-${digest}.mjs`);
  // Written beside and renamed: another run may be starting the same one at this moment.
  const draft = `${target}.${randomUUID()}`;
  await writeFile(draft, file.contents);
  await rename(draft, target);
  return target;
}

const digestCharacters = 16;
