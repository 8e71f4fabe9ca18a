import { decodeText } from "#core/diff/decode-text.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { baseName } from "#reviewers/rules/language.ts";
import { reviewLimits } from "#reviewers/rules/review-limits.ts";

/** Without the lines of other files: they are read one at a time. */
export interface RuleContext {
  readonly files: readonly DiffFile[];
  readonly paths: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly firstByLowerCase: ReadonlyMap<string, string>;
  readonly firstInFolder: ReadonlyMap<string, string>;
  /** Of either side, each read once. Null where none could be read. */
  readonly readText: ReadText;
}

export type ReadText = (side: Side, path: string) => Promise<string | null>;

export function createRuleContext(files: readonly DiffFile[], readText: ReadText): RuleContext {
  const left = files.filter((file) => file.kind !== "deleted").map((file) => file.path);
  return {
    files,
    paths: new Set(left),
    names: new Set(left.map(baseName)),
    firstByLowerCase: firstBy(left, (path) => [path.toLowerCase()]),
    firstInFolder: firstBy(left, foldersOf),
    readText: remember(readText),
  };
}

function firstBy(paths: readonly string[], keysOf: (path: string) => readonly string[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const path of paths) {
    for (const key of keysOf(path)) if (!first.has(key)) first.set(key, path);
  }
  return first;
}

/** A path of slashes must not cost the square of its length. */
const foldersMax = 50;

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/", foldersMax + 1).slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
}

export function textReader({ readFile }: Pick<ReviewJob, "readFile">): ReadText {
  return async (side, path) => {
    const bytes = await readFile(side, path);
    return bytes === null || bytes.length > reviewLimits.contextBytesMax ? null : decodeText(bytes);
  };
}

function remember(readText: ReadText): ReadText {
  const texts = new Map<string, Promise<string | null>>();
  return (side, path) => {
    const key = `${side}:${path}`;
    const text = texts.get(key) ?? readText(side, path);
    texts.set(key, text);
    return text;
  };
}
