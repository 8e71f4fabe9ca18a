import type { Diff } from "#core/diff/diff.ts";
import type { Side } from "#core/diff/hunk.ts";
import { type FileLines, indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import type { Range } from "#core/eval/eval-case.ts";

export interface SidedLines {
  readonly path: string;
  readonly side: Side;
  readonly lines: Range;
}

/** Both sides in one order, so that a removed line has a place beside a new one. */
export interface DiffRows {
  readonly rowsOf: (place: SidedLines) => Range | null;
  readonly codeAt: (place: SidedLines) => string;
}

export function indexRows(diff: Diff): DiffRows {
  const indexed = new Map<string, FileLines>();
  for (const file of diff.files) {
    // A change of a file's kind is two entries of one path, of which one has the text.
    if (file.content.kind === "text" && !indexed.has(file.path)) indexed.set(file.path, indexLines(diff, file));
  }
  return {
    rowsOf: (place) => {
      const rows = rowsIn(indexed.get(place.path), place);
      const [first, last] = [rows.at(0), rows.at(-1)];
      return first === undefined || last === undefined ? null : { first, last };
    },
    codeAt: (place) => {
      const lines = indexed.get(place.path);
      return lines === undefined
        ? ""
        : rowsIn(lines, place)
            .map((row) => lineText(lines, row))
            .join("\n");
    },
  };
}

function rowsIn(lines: FileLines | undefined, { side, lines: { first, last } }: SidedLines): readonly number[] {
  if (lines === undefined) return [];
  const numbers = side === "new" ? lines.newNumbers : lines.oldNumbers;
  const elsewhere = side === "new" ? lineMark.removed : lineMark.added;
  const rows: number[] = [];
  for (let row = 0; row < lines.length; row += 1) {
    const number = numbers[row] ?? 0;
    if (lines.marks[row] !== elsewhere && number >= first && number <= last) rows.push(row);
  }
  return rows;
}
