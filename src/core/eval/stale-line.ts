import { decodeText } from "#core/diff/decode-text.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import { indexLines, lineMark, lineText } from "#core/diff/line-index.ts";

export function findStaleLine(
  diff: Diff,
  file: DiffFile,
  { side, bytes }: { readonly side: Side; readonly bytes: Uint8Array },
): number | null {
  if (file.content.kind !== "text") return null;
  const texts = decodeText(bytes).split("\n");
  const lines = indexLines(diff, file);
  const numbers = side === "new" ? lines.newNumbers : lines.oldNumbers;
  const elsewhere = side === "new" ? lineMark.removed : lineMark.added;
  for (let row = 0; row < lines.length; row += 1) {
    const number = numbers[row] ?? 0;
    if (lines.marks[row] !== elsewhere && texts[number - 1] !== lineText(lines, row)) return number;
  }
  return null;
}
