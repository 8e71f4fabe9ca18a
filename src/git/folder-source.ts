import type { BytePath } from "#git/byte-path.ts";
import type { FileMode } from "#ports/git.ts";

/** A folder that others have written: nothing in it is followed or run. */
export interface FolderSource {
  /** What lies directly in a folder, at most `entriesMax` and one more; undefined where it cannot be read. */
  list(folder: BytePath, entriesMax: number): Promise<readonly FolderItem[] | undefined>;
  /** The content of a regular file; undefined where it is none, cannot be read, or is longer. */
  read(path: BytePath, bytesMax: number): Promise<Uint8Array | undefined>;
  readLink(path: BytePath): Promise<Uint8Array | undefined>;
}

export interface FolderItem {
  readonly name: BytePath;
  readonly kind: "file" | "folder" | "link" | "special";
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** How many names the content has. */
  readonly linkCount: number;
}

export interface TreeFile {
  readonly mode: FileMode;
  readonly id: string;
  readonly bytes: number;
}

export type Tree = ReadonlyMap<BytePath, TreeFile>;
