import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

export type FileRefusal = "bad_path" | "no_file" | "link" | "too_large" | "not_text" | "unwritable";

export type WorkspaceText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly why: FileRefusal };

export interface WorkspaceFiles {
  read(workspace: string, path: string): Promise<WorkspaceText>;
  /** A file that was read before; null where that went well. */
  write(workspace: string, path: string, text: string): Promise<FileRefusal | null>;
}

export const fileBytesMax = 4 * 1024 * 1024;

/** Not on every system: there the check of the path before must do. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** No link on the way: a pull can hold one that leads anywhere on the machine. Nobody else writes here meanwhile. */
async function readWorkspaceFile(workspace: string, path: string): Promise<WorkspaceText> {
  if (!isPlainPath(path)) return refused("bad_path");
  try {
    const problem = await problemOf(workspace, path);
    return problem === null ? readText(await readBytes(join(workspace, path))) : refused(problem);
  } catch {
    // Missing or not readable: both leave its remarks unaddressed.
    return refused("no_file");
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | noFollow);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** In place: its mode stays. */
async function writeWorkspaceFile(workspace: string, path: string, text: string): Promise<FileRefusal | null> {
  try {
    const handle = await open(join(workspace, path), constants.O_WRONLY | constants.O_TRUNC | noFollow);
    try {
      await handle.writeFile(text, "utf8");
    } finally {
      await handle.close();
    }
    return null;
  } catch {
    // For any reason its remarks are not addressed.
    return "unwritable";
  }
}

export const diskFiles: WorkspaceFiles = { read: readWorkspaceFile, write: writeWorkspaceFile };

/** As a forge names files, and nothing of git's own. */
function isPlainPath(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\") || isAbsolute(path) || /^[A-Za-z]:/.test(path))
    return false;
  return path.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()));
}

async function problemOf(workspace: string, path: string): Promise<FileRefusal | null> {
  const full = join(workspace, path);
  const stats = await lstat(full);
  if (stats.isSymbolicLink()) return "link";
  if (!stats.isFile()) return "no_file";
  if ((await realpath(full)) !== join(await realpath(workspace), path)) return "link";
  return stats.size > fileBytesMax ? "too_large" : null;
}

function readText(bytes: Uint8Array): WorkspaceText {
  if (bytes.includes(0)) return refused("not_text");
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // Not UTF-8: writing it back would change other bytes.
    return refused("not_text");
  }
}

function refused(why: FileRefusal): WorkspaceText {
  return { kind: "refused", why };
}
