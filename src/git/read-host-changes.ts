import { type BytePath, bytesOf, foldersAbove, readPath } from "#git/byte-path.ts";
import { isUnwritable } from "#git/worktree-request.ts";
import { GitError } from "#ports/git.ts";
import type { HostChanges } from "#ports/git-host.ts";

export interface ReadChanges {
  readonly gone: readonly BytePath[];
  /** A file gives way to a folder of its name, and a folder to a file. */
  readonly written: ReadonlyMap<BytePath, Uint8Array>;
}

export function readHostChanges(changes: HostChanges): ReadChanges {
  const gone: BytePath[] = [];
  const written = new Map<BytePath, Uint8Array>();
  for (const [name, text] of Object.entries(changes)) {
    const path = readPath(name);
    if (path === undefined || isUnwritable({ path, mode: "100644" })) {
      throw new GitError("bad_request", "a change names a path that no repository can hold");
    }
    if (text === null) gone.push(path);
    else written.set(path, new Uint8Array(Buffer.from(text)));
  }
  for (const path of written.keys()) {
    if (!foldersAbove(path).some((folder) => written.has(folder))) continue;
    throw new GitError("bad_request", `the changes want ${bytesOf(path).toString()} to lie inside of a file`);
  }
  return { gone, written };
}
