import { open, readdir } from "node:fs/promises";
import { platform } from "node:os";
import { dirname, join } from "node:path";

/** Makes a folder with everything in it, and its name, survive a power cut. Git does so for its objects alone. */
export async function fsyncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) await sync(join(entry.parentPath, entry.name));
  }
  await sync(folder);
  await sync(dirname(folder));
}

async function sync(path: string): Promise<void> {
  // Windows cannot open folders, and syncs files only for those who may write them.
  if (platform() === "win32") return;
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
