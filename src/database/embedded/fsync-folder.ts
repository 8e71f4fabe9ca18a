import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { hasCode } from "#core/error-code.ts";

/** Makes created, renamed and deleted names survive a power cut. A missing folder is fine. */
export function fsyncFolderSync(folder: string): void {
  // Windows cannot open folders. NTFS writes names to its journal by itself.
  if (platform() === "win32") return;
  try {
    syncPath(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

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
