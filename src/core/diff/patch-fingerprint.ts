import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { byte } from "#core/diff/byte-scan.ts";
import { encodeText } from "#core/diff/decode-text.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { type DiffPath, pathBytes } from "#core/diff/diff-path.ts";
import { firstLine, type Hunk, hunksOf } from "#core/diff/hunk.ts";

export type PatchFingerprint =
  | { readonly kind: "known"; readonly sha256: string }
  /** Two different patches could look the same in this diff, so it must not be compared at all. */
  | { readonly kind: "unknown"; readonly why: UnknownPatchWhy; readonly path: string };

export type UnknownPatchWhy =
  /** No full blob id names what is not shown: make the diff with `--full-index`. */
  | "unnamed_content"
  /** A hunk with nothing before it that says where it belongs: make the diff with context lines. */
  | "no_context"
  | "unmerged";

/**
 * Tells whether a patch is the same after a rebase. Context lines count: without line numbers they alone say where a
 * change belongs, so a rebase over changes within them errs on the safe side. Both diffs must be made with the same
 * options. Every part carries its length, so no two patches share one encoding.
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

/** In a fixed order. Lines of a hunk delimit themselves. */
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

/** A path is never empty, so empty stands for none. */
function pathPart(path: DiffPath | undefined): Uint8Array {
  return path === undefined ? new Uint8Array() : pathBytes(path);
}

function hashParts(parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256.create();
  for (const part of parts) hash.update(encodeText(`${part.length}:`)).update(part);
  return hash.digest();
}
