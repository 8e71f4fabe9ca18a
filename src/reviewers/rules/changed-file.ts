import type { DiffFile } from "#core/diff/diff-file.ts";
import { type FileLines, lineMark, lineText } from "#core/diff/line-index.ts";
import { isTestPath } from "#core/files/file-nature.ts";
import { type FileNature, natureOf } from "#reviewers/rules/file-nature.ts";
import { type Language, languageOf } from "#reviewers/rules/language.ts";
import { maskCode } from "#reviewers/rules/mask-code.ts";
import { codeCharactersMax } from "#reviewers/rules/review-limits.ts";
import { syntaxOf } from "#reviewers/rules/syntax.ts";

export interface ChangedFile {
  readonly path: string;
  readonly diff: DiffFile;
  readonly nature: FileNature;
  readonly language: Language;
  readonly isTest: boolean;
  readonly lines: readonly Line[];
  /** Only these are judged. */
  readonly added: readonly Line[];
}

export interface Line {
  readonly number: number;
  /** Without the line's end, of which a carriage return is part. */
  readonly text: string;
  /** With blanks for comments and the content of strings, where the language is known. */
  readonly code: string;
  readonly isAdded: boolean;
  /** Undefined at the file's borders, and at a hunk's where only hunks are known. */
  readonly before: Line | undefined;
  readonly after: Line | undefined;
}

export function makeChangedFile(shown: FileLines, text: string | null): ChangedFile {
  const { file } = shown;
  const { path } = file;
  const inHunks = hunkLines(shown);
  const whole = text === null ? wholeByDiff(file, inHunks) : wholeByText(text, inHunks);
  const language = languageOf(path);
  const lines = linkLines(whole ?? inHunks, language);
  const nature = natureOf(path, whole === null ? [] : lines.slice(0, natureLines).map((line) => line.text));
  const isTest = isTestPath(path);
  const added = lines.filter((line) => line.isAdded);
  return { path, diff: file, nature, language, isTest, lines, added };
}

export function addedCode(file: ChangedFile): readonly Line[] {
  return file.added.filter((line) => line.text.length <= codeCharactersMax);
}

export function isNewPath({ diff }: ChangedFile): boolean {
  return diff.kind === "added" || diff.kind === "renamed" || diff.kind === "copied";
}

/** Enough to tell who wrote a file. */
const natureLines = 40;

type PlainLine = Pick<Line, "number" | "text" | "isAdded">;

function hunkLines(shown: FileLines): readonly PlainLine[] {
  const lines: PlainLine[] = [];
  for (let index = 0; index < shown.length; index += 1) {
    const mark = shown.marks[index];
    if (mark === lineMark.removed) continue;
    const text = withoutReturn(lineText(shown, index));
    lines.push({ number: shown.newNumbers[index] ?? 0, text, isAdded: mark === lineMark.added });
  }
  return lines;
}

/** The diff of a new file shows all of it. */
function wholeByDiff({ kind }: DiffFile, inHunks: readonly PlainLine[]): readonly PlainLine[] | null {
  return kind === "added" ? inHunks : null;
}

/** Null where the text is not the diff's new side: the diff is judged, and nothing may contradict it. */
function wholeByText(text: string, inHunks: readonly PlainLine[]): readonly PlainLine[] | null {
  const texts = text.split("\n").map(withoutReturn);
  if (texts.at(-1) === "") texts.pop();
  if (!inHunks.every((line) => texts[line.number - 1] === line.text)) return null;
  const added = new Set(inHunks.filter((line) => line.isAdded).map((line) => line.number));
  return texts.map((one, index) => ({ number: index + 1, text: one, isAdded: added.has(index + 1) }));
}

function linkLines(plain: readonly PlainLine[], language: Language): readonly Line[] {
  const codes = runsOf(plain).flatMap((run) => codeOf(run, language));
  const lines: Unlinked[] = [];
  for (const [index, { number, text, isAdded }] of plain.entries()) {
    const previous = lines.at(-1);
    const before = previous?.number === number - 1 ? previous : undefined;
    // Written out: spreading was measured at half of a whole review.
    const line: Unlinked = { number, text, code: codes[index] ?? text, isAdded, before, after: undefined };
    if (before !== undefined) before.after = line;
    lines.push(line);
  }
  return lines;
}

type Unlinked = Omit<Line, "before" | "after"> & { readonly before: Unlinked | undefined; after: Unlinked | undefined };

/** Without a gap: what a string or a comment may reach over. */
function runsOf(lines: readonly PlainLine[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let last = -1;
  for (const line of lines) {
    if (line.number !== last + 1) runs.push([]);
    runs.at(-1)?.push(line.text);
    last = line.number;
  }
  return runs;
}

function codeOf(texts: readonly string[], language: Language): readonly string[] {
  const syntax = syntaxOf(language);
  return syntax === null ? texts : maskCode(texts, syntax);
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
