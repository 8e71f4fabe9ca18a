import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServeWorld } from "./serve-world.ts";

/** A file where the first server works with git: whoever starts on this folder would clear it away. */
export async function leaveScratch({ side }: ServeWorld): Promise<string> {
  const file = join(side.dataFolder, "git", "scratch", "in-use");
  await writeFile(file, "in use");
  return file;
}
