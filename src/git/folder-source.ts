import type { BytePath } from "#git/byte-path.ts";
import type { FileMode } from "#ports/git.ts";

/** Written by others: nothing in it is followed or run. */
export interface FolderSource {
  /** At most one more than `entriesMax`; undefined where it cannot be read. */
  list(folder: BytePath, entriesMax: number): Promise<readonly FolderItem[] | undefined>;
  read(path: BytePath, bytesMax: number): Promise<Uint8Array | undefined>;
  readLink(path: BytePath): Promise<Uint8Array | undefined>;
}

export interface FolderItem {
  readonly name: BytePath;
  readonly kind: "file" | "folder" | "link" | "special";
  readonly bytes: number;
  readonly isExecutable: boolean;
  readonly linkCount: number;
}

export interface TreeFile {
  readonly mode: FileMode;
  readonly id: string;
  readonly bytes: number;
}

export type Tree = ReadonlyMap<BytePath, TreeFile>;
