import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, opendir, readlink } from "node:fs/promises";
import { type BytePath, bytesOf } from "#git/byte-path.ts";
import type { FolderItem, FolderSource } from "#git/folder-source.ts";

/** Names are bytes all the way, and no link is followed. */
export function realFolder(root: string): FolderSource {
  const full = (path: BytePath): Buffer =>
    path === "" ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), bytesOf(path)]);
  return {
    list: (folder, entriesMax) => unlessUnreadable(() => listFolder(full(folder), entriesMax)),
    read: (path, bytesMax) => unlessUnreadable(() => readRegular(full(path), bytesMax)),
    readLink: (path) =>
      unlessUnreadable(async () => new Uint8Array(await readlink(full(path), { encoding: "buffer" }))),
  };
}

async function unlessUnreadable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

async function listFolder(folder: Buffer, entriesMax: number): Promise<readonly FolderItem[] | undefined> {
  if (!(await lstat(folder)).isDirectory()) return undefined;
  const items: FolderItem[] = [];
  for await (const { name } of await opendir(folder, { encoding: "latin1" })) {
    const found = await lstat(Buffer.concat([folder, Buffer.from("/"), bytesOf(name)]));
    items.push({
      name,
      kind: kindOf(found),
      bytes: found.size,
      isExecutable: (found.mode & 0o100) !== 0,
      linkCount: found.nlink,
    });
    if (items.length > entriesMax) break;
  }
  return items;
}

function kindOf(found: Stats): FolderItem["kind"] {
  if (found.isDirectory()) return "folder";
  if (found.isSymbolicLink()) return "link";
  return found.isFile() ? "file" : "special";
}

/** Asks what was opened, not its name; a pipe that took the file's place would not block. */
async function readRegular(path: Buffer, bytesMax: number): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= bytesMax ? await readWhole(file, found.size) : undefined;
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, bytes: number): Promise<Uint8Array | undefined> {
  const content = new Uint8Array(bytes);
  let at = 0;
  while (at < bytes) {
    const { bytesRead } = await file.read(content, at, bytes - at, at);
    // It became shorter while it was read.
    if (bytesRead === 0) return undefined;
    at += bytesRead;
  }
  return content;
}
