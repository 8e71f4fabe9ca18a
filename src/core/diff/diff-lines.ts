import { byte, findLineEnd } from "#core/diff/byte-scan.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { firstLine, type HunkTable, hunksOf } from "#core/diff/hunk.ts";

/** `text` is verbatim: a carriage return stays, and bytes that are not UTF-8 become U+FFFD. */
export type DiffLine = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly hasNewline: boolean;
} & (
  | { readonly kind: "context"; readonly oldLine: number; readonly newLine: number }
  | { readonly kind: "added"; readonly oldLine: undefined; readonly newLine: number }
  | { readonly kind: "removed"; readonly oldLine: number; readonly newLine: undefined }
);

/** Each line is cut out of the diff when it is asked for. */
export function* iterateLines(diff: HunkTable, file: DiffFile): Generator<DiffLine, void, undefined> {
  const { bytes } = diff;
  for (const hunk of hunksOf(diff, file)) {
    const { bodyStart, end: hunkEnd } = hunk;
    // A hunk is decoded at once. Where every character is one byte, as in most code, lines are slices of it.
    const body = decodeText(bytes.subarray(bodyStart, hunkEnd));
    const isSliced = body.length === hunkEnd - bodyStart;
    let oldLine = firstLine(hunk, "old");
    let newLine = firstLine(hunk, "new");
    let at = bodyStart;
    while (at < hunkEnd) {
      const marker = bytes[at];
      // Some tools write an empty context line without its space.
      const start = marker === byte.newline ? at : at + 1;
      const end = isSliced ? bodyStart + body.indexOf("\n", start - bodyStart) : findLineEnd(bytes, start);
      const text = isSliced ? body.slice(start - bodyStart, end - bodyStart) : decodeText(bytes.subarray(start, end));
      at = end + 1;
      const hasNewline = at === hunkEnd || bytes[at] !== byte.backslash;
      if (!hasNewline) at = findLineEnd(bytes, at) + 1;
      if (marker === byte.plus) {
        yield { kind: "added", oldLine: undefined, newLine, text, start, end, hasNewline };
      } else if (marker === byte.minus) {
        yield { kind: "removed", oldLine, newLine: undefined, text, start, end, hasNewline };
      } else {
        yield { kind: "context", oldLine, newLine, text, start, end, hasNewline };
      }
      if (marker !== byte.plus) oldLine += 1;
      if (marker !== byte.minus) newLine += 1;
    }
  }
}
