import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { actionBundle, readActionBundle } from "#tools/bundle-action.ts";

/**
 * A folder with what the Action needs of a release, and nothing else: neither sources nor packages lie around it. The
 * global setup makes one for the whole run, and tells the path of the Action's file.
 */
export async function makeReleaseFolder(): Promise<{ readonly told: string; readonly remove: () => Promise<void> }> {
  const root = process.cwd();
  const contents = await readActionBundle(root);
  const folder = await mkdtemp(join(tmpdir(), "drover-release-"));
  const script = join(folder, actionBundle);
  await mkdir(dirname(script));
  await writeFile(script, contents);
  // It says that the script is an ES module.
  await copyFile(join(root, "package.json"), join(folder, "package.json"));
  return { told: script, remove: async () => await rm(folder, { recursive: true, force: true }) };
}
