import type { DiffPath } from "#core/diff/diff-path.ts";

/** One changed file. Its hunks are rows of the diff's hunk table; its lines are cut when somebody asks. */
export interface DiffFile {
  readonly kind: FileKind;
  /** The name that a forge knows the file by: the new path, or the old one of a deleted file. */
  readonly path: string;
  /** Undefined for an added file. */
  readonly oldPath: DiffPath | undefined;
  /** Undefined for a deleted file. */
  readonly newPath: DiffPath | undefined;
  /** Six octal digits as git writes them (`120000` symlink, `160000` submodule); undefined where the diff does not say. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  /** Percent, as stated for renames and copies. */
  readonly similarity: number | undefined;
  /** Percent, as stated for a rewritten file. */
  readonly dissimilarity: number | undefined;
  /** Blob ids of the index line, abbreviated unless git was asked for full ones; zeros stand for no blob. */
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  readonly content: FileContent;
  readonly hunkFirst: number;
  readonly hunkCount: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** The bytes of the diff that are about this file. */
  readonly start: number;
  readonly end: number;
}

/**
 * A type change (a file becomes a symlink) is not a kind: git writes it as `deleted` and `added` of one path.
 * `mode_changed` is a change of the mode and nothing else; a file with changed content and mode is `modified`.
 */
export type FileKind = "added" | "deleted" | "modified" | "renamed" | "copied" | "mode_changed";

export type FileContent =
  /** Nothing to show: a rename or mode change alone, or an empty file that came or went. */
  | { readonly kind: "none" }
  | { readonly kind: "text" }
  /** Git was told to leave the content of a deleted file out (`--irreversible-delete`). */
  | { readonly kind: "omitted" }
  | { readonly kind: "binary"; readonly payload: BinaryPayload | undefined };

export interface BinaryPayload {
  readonly forward: BinaryBlock;
  readonly reverse: BinaryBlock | undefined;
}

export interface BinaryBlock {
  readonly method: "literal" | "delta";
  /** Size after inflating, as the block states it. */
  readonly inflatedBytes: number;
  /** The base85 lines in the diff. */
  readonly start: number;
  readonly end: number;
}
