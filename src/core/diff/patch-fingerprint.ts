import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { byte, encodeText } from "#core/diff/byte-scan.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { type DiffPath, pathBytes } from "#core/diff/diff-path.ts";
import { firstLine, type Hunk, hunksOf } from "#core/diff/hunk.ts";

export type PatchFingerprint =
  | { readonly kind: "known"; readonly sha256: string }
  /** Two different patches could look the same in this diff, so it must not be compared at all. */
  | { readonly kind: "unknown"; readonly why: UnknownPatchWhy; readonly path: string };

export type UnknownPatchWhy =
  /** Content that is not shown and that no full blob id names: make the diff with `--full-index`. */
  | "unnamed_content"
  /** A hunk with nothing before it that says where it belongs: make the diff with context lines. */
  | "no_context"
  /** Git could not merge a path, so what the diff shows is no finished state. */
  | "unmerged";

/**
 * One number for what a patch does, to tell whether it is the same after a rebase.
 *
 * It covers names, kinds, modes, and every line of every hunk to the byte, whitespace included; context lines too, for
 * without line numbers they alone say where a change belongs: the same added line in another function is another patch.
 * A rebase over changes within that context therefore counts as a new patch. That errs on the safe side, and more
 * context makes it safer still. What a rebase changes by itself is left out: line numbers, section headings, blob ids
 * of text, similarity, the order of files. Content that is not shown counts by its full blob ids.
 *
 * Both diffs must be made with the same options. Every part carries its length, so no two patches share one encoding.
 */
export function patchFingerprint(diff: Diff): PatchFingerprint {
  const [unmerged] = diff.unmergedPaths;
  if (unmerged !== undefined) return { kind: "unknown", why: "unmerged", path: unmerged };
  const digests: string[] = [];
  for (const file of diff.files) {
    const hunks = hunksOf(diff, file);
    const why = unknownWhy(diff, file, hunks);
    if (why !== undefined) return { kind: "unknown", why, path: file.path };
    digests.push(bytesToHex(hashParts(fileParts(diff, file, hunks))));
  }
  const parts = [encodeText("drover patch 1"), ...digests.sort().map((digest) => encodeText(digest))];
  return { kind: "known", sha256: bytesToHex(hashParts(parts)) };
}

function unknownWhy(diff: Diff, file: DiffFile, hunks: readonly Hunk[]): UnknownPatchWhy | undefined {
  const isHidden = file.content.kind === "binary" || file.content.kind === "omitted";
  if (isHidden && !(isFullId(file.oldBlob) && isFullId(file.newBlob))) return "unnamed_content";
  return hunks.some((hunk) => lacksContext(diff, hunk)) ? "no_context" : undefined;
}

/** An abbreviated id can be forged by trying some millions of contents. */
function isFullId(blob: string | undefined): boolean {
  return blob?.length === 40 || blob?.length === 64;
}

/** Git shows lines before every change but one at the top of the file, unless it was told to show none (`-U0`). */
function lacksContext(diff: Diff, hunk: Hunk): boolean {
  const marker = diff.bytes[hunk.bodyStart];
  const isAtTop = firstLine(hunk, "old") === 1 && firstLine(hunk, "new") === 1;
  return !isAtTop && (marker === byte.plus || marker === byte.minus);
}

/** What matters of a file, in a fixed order. The lines of a hunk are taken as they stand: they delimit themselves. */
function fileParts(diff: Diff, file: DiffFile, hunks: readonly Hunk[]): readonly Uint8Array[] {
  const isHidden = file.content.kind === "binary" || file.content.kind === "omitted";
  return [
    encodeText(file.kind),
    pathPart(file.oldPath),
    pathPart(file.newPath),
    encodeText(file.oldMode ?? ""),
    encodeText(file.newMode ?? ""),
    encodeText(file.content.kind),
    encodeText(isHidden ? (file.oldBlob ?? "") : ""),
    encodeText(isHidden ? (file.newBlob ?? "") : ""),
    ...hunks.map((hunk) => diff.bytes.subarray(hunk.bodyStart, hunk.end)),
  ];
}

/** A path is never empty, so nothing stands for the side on which there is none. */
function pathPart(path: DiffPath | undefined): Uint8Array {
  return path === undefined ? new Uint8Array() : pathBytes(path);
}

function hashParts(parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256.create();
  for (const part of parts) hash.update(encodeText(`${part.length}:`)).update(part);
  return hash.digest();
}
