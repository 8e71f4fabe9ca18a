import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { hasCode } from "#core/error-code.ts";

/** Makes the names in a folder survive a power cut: what was made, renamed and removed in it. A folder that is gone is fine. */
export function fsyncFolderSync(folder: string): void {
  // Windows cannot open folders. NTFS writes names to its journal by itself.
  if (platform() === "win32") return;
  try {
    syncPath(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** The same for everything below, contents included. */
export function fsyncTreeSync(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) fsyncTreeSync(path);
    else if (entry.isFile()) syncPath(path);
  }
  fsyncFolderSync(folder);
}

function syncPath(path: string): void {
  const file = openSync(path, platform() === "win32" ? "r+" : "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
