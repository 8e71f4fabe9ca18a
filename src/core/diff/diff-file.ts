import type { DiffPath } from "#core/diff/diff-path.ts";

export interface DiffFile {
  readonly kind: FileKind;
  /** The new path, or the old one of a deleted file: how a forge names it. */
  readonly path: string;
  /** Undefined for an added file. */
  readonly oldPath: DiffPath | undefined;
  /** Undefined for a deleted file. */
  readonly newPath: DiffPath | undefined;
  /** Six octal digits (`120000` symlink, `160000` submodule); undefined where the diff does not say. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  readonly similarity: number | undefined;
  readonly dissimilarity: number | undefined;
  /** Abbreviated unless git was asked for full ones; zeros stand for no blob. */
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  readonly content: FileContent;
  readonly hunkFirst: number;
  readonly hunkCount: number;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly start: number;
  readonly end: number;
}

/** Git writes a type change (a file becomes a symlink) as `deleted` and `added` of one path. */
export type FileKind = "added" | "deleted" | "modified" | "renamed" | "copied" | "mode_changed";

export type FileContent =
  /** A rename or mode change alone, or an empty file that came or went. */
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
  readonly inflatedBytes: number;
  readonly start: number;
  readonly end: number;
}
