import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { type FileLines, indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";

/** Numbers that jump mean that lines are left out. */
export interface FrameLine {
  readonly number: number;
  readonly text: string;
  readonly isMarked: boolean;
}

const contextLines = 2;
/** Of a long range the beginning and the end are shown. */
const headLinesMax = 10;
const tailLinesMax = 2;

export type FrameOf = (finding: RawFinding) => readonly FrameLine[];

/** Beside a secret no other line of its file is shown, since nobody knows how far the secret goes. */
export function makeFrames(diff: Diff, secret: readonly RawFinding[]): FrameOf {
  const guarded = guardedLines(secret);
  const filesByPath = new Map<string, DiffFile>(diff.files.map((file) => [file.path, file]));
  const indexed = new Map<string, FileLines>();
  return (finding) => {
    const file = filesByPath.get(finding.path);
    if (file === undefined || isBlankSnippet(finding.snippet)) return [];
    const guard = guarded.get(finding.path);
    if (guard?.isWhole === true) return [];
    const lines = indexed.get(finding.path) ?? indexLines(diff, file);
    indexed.set(finding.path, lines);
    return frameOf(lines, finding, guard);
  };
}

interface Guard {
  isWhole: boolean;
  readonly quotes: Map<number, string>;
}

function guardedLines(secret: readonly RawFinding[]): ReadonlyMap<string, Guard> {
  const guards = new Map<string, Guard>();
  for (const { path, snippet, lines } of secret) {
    const guard = guards.get(path) ?? { isWhole: false, quotes: new Map<number, string>() };
    if (isBlankSnippet(snippet)) guard.isWhole = true;
    for (let number = lines.first; number <= lines.last; number += 1) {
      const quoted = guard.quotes.get(number);
      guard.quotes.set(number, quoted === undefined ? `${snippet}…` : `${quoted} ${snippet}…`);
    }
    guards.set(path, guard);
  }
  return guards;
}

function frameOf(lines: FileLines, finding: RawFinding, guard: Guard | undefined): readonly FrameLine[] {
  const { first, last } = finding.lines;
  const around = guard === undefined ? contextLines : 0;
  const other = finding.side === "new" ? lineMark.removed : lineMark.added;
  const numbers = finding.side === "new" ? lines.newNumbers : lines.oldNumbers;
  const frame: FrameLine[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (lines.marks[index] === other || number < first - around || number > last + around) continue;
    if (number >= first + headLinesMax && number <= last - tailLinesMax) continue;
    const text = guard?.quotes.get(number) ?? lineText(lines, index).replace(/\r$/, "");
    frame.push({ number, text, isMarked: number >= first && number <= last });
  }
  return frame;
}
