import { constants, type Stats } from "node:fs";
import { access, lstat } from "node:fs/promises";
import type { Coverage } from "#core/model/records.ts";
import { type BytePath, bytesOf, diffPathOf } from "#git/byte-path.ts";

/** More is not read by reviewers anyway. */
interface SnapshotLimits {
  readonly filesMax: number;
  readonly fileBytesMax: number;
  readonly bytesMax: number;
}

const snapshotLimits: SnapshotLimits = {
  filesMax: 20_000,
  fileBytesMax: 32 * 1024 * 1024,
  bytesMax: 512 * 1024 * 1024,
};

type Unread = Coverage["unread"][number];

export interface SnapshotFiles {
  readonly taken: readonly BytePath[];
  readonly leftOut: readonly Unread[];
}

/** Leaves out, and says so, what git would fail on or take minutes for. */
export async function selectSnapshotFiles(
  top: string,
  paths: readonly BytePath[],
  limits = snapshotLimits,
): Promise<SnapshotFiles> {
  const taken: BytePath[] = [];
  const leftOut: Unread[] = [];
  let bytes = 0;
  for (const path of paths.slice(0, limits.filesMax)) {
    const found = await look(Buffer.concat([Buffer.from(`${top}/`), bytesOf(path)]));
    const isTooLarge = found.bytes > limits.fileBytesMax || bytes + found.bytes > limits.bytesMax;
    const why = path.endsWith("/") ? "excluded" : found.isUnreadable ? "unreadable" : isTooLarge ? "size" : null;
    if (why !== null) {
      leftOut.push({ path: diffPathOf(path).text, why });
      continue;
    }
    bytes += found.bytes;
    taken.push(path);
  }
  const more = paths.length - limits.filesMax;
  if (more > 0) leftOut.push({ path: `(${more} more files)`, why: "size" });
  return { taken, leftOut };
}

interface Looked {
  readonly bytes: number;
  readonly isUnreadable: boolean;
}

/** A missing file is a change too; links are read as text, and a folder may have taken a file's place. */
async function look(path: Buffer): Promise<Looked> {
  const found = await statsOf(path);
  if (found === undefined || found.isDirectory() || found.isSymbolicLink()) return { bytes: 0, isUnreadable: false };
  if (!found.isFile()) return { bytes: 0, isUnreadable: true };
  return { bytes: found.size, isUnreadable: !(await mayRead(path)) };
}

async function statsOf(path: Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined;
  }
}

async function mayRead(path: Buffer): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
