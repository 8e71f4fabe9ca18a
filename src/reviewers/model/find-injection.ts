import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { detectInjection, type InjectionKind } from "#core/prompt/detect-injection.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { locateFinding } from "#reviewers/model/locate-finding.ts";

export interface InjectedText {
  readonly where: string;
  readonly text: string;
  readonly finding: RawFinding | null;
}

export interface FoundInjection {
  readonly texts: readonly InjectedText[];
  readonly isCut: boolean;
  readonly isPart: boolean;
}

/** A change with more is about such texts, or so hostile that the rest does not matter. */
const textsMax = 10;
const textCharactersMax = 500;

/** Added lines in bytes: more would keep the process busy for seconds. */
const searchedBytesMax = 2_000_000;

/** In what the pull says about itself, names of files, and added lines that the model is shown. */
export function findInjection({ about, role }: Pick<ReviewJob, "about" | "role">, shown: Diff): FoundInjection {
  const found: InjectedText[] = [];
  if (about !== undefined) {
    found.push(...inProse("the title", about.title), ...inProse("the description", about.description));
  }
  found.push(...shown.files.flatMap(({ path }) => inName(path)));
  let left = searchedBytesMax;
  for (const file of shown.files) {
    left -= file.end - file.start;
    if (left < 0 || found.length > textsMax) break;
    found.push(...inFile(shown, file, role));
  }
  return { texts: found.slice(0, textsMax), isCut: found.length > textsMax, isPart: left < 0 };
}

function inProse(name: string, text: string): readonly InjectedText[] {
  const lines = text.split("\n");
  return detectInjection(text).places.map(({ line }) => ({
    where: lines.length === 1 ? name : `${name} (line ${line})`,
    text: (lines[line - 1] ?? "").slice(0, textCharactersMax),
    finding: null,
  }));
}

/** A name is written without spaces, and each folder may be a sentence. */
function inName(path: string): readonly InjectedText[] {
  const text = path.replaceAll("/", "\n").replaceAll(/[_+-]+/g, " ");
  const isFound = detectInjection(path).places.length > 0 || detectInjection(text).places.length > 0;
  return isFound ? [{ where: "the name of a file", text: path.slice(0, textCharactersMax), finding: null }] : [];
}

function inFile(shown: Diff, file: DiffFile, role: string): readonly InjectedText[] {
  const added = addedLines(shown, file);
  return detectInjection(added.map(({ text }) => text).join("\n")).places.flatMap(({ line, kinds }) => {
    const { number, text } = added[line - 1] ?? { number: 0, text: "" };
    if (number === 0) return [];
    const said = { id: 0, rule, path: file.path, line: number, code: text, message, score, fix: null };
    const location = locateFinding(shown, said);
    const finding = location && {
      ...location,
      suggestion: null,
      role,
      rule,
      message,
      score,
      assessment: signWords(kinds),
    };
    const where = `${codeSpan(file.path)} (line ${number})`;
    return [{ where, text: text.slice(0, textCharactersMax), finding }];
  });
}

/** With gaps kept: what stands far apart was not said together. */
function addedLines(diff: Diff, file: DiffFile): readonly { readonly number: number; readonly text: string }[] {
  const lines = indexLines(diff, file);
  const added: { number: number; text: string }[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    if (lines.marks[index] !== lineMark.added) continue;
    const number = lines.newNumbers[index] ?? 0;
    const isNext = number === (added.at(-1)?.number ?? 0) + 1;
    if (!isNext) added.push(gap, gap, gap);
    added.push({ number, text: lineText(lines, index) });
  }
  return added;
}

const gap = { number: 0, text: "" } as const;

const rule = "prompt-injection";
/** Worth a look, and by itself no reason against a merge. */
const score = 6;
const message =
  "This text reads like an order to a language model that looks at the code. It was taken as data here, but other tools may follow it. Remove it, or say why it is needed.";

function signWords(kinds: readonly InjectionKind[]): string {
  return `It looks like ${kinds.map((kind) => words[kind]).join(", ")}.`;
}

const words: Readonly<Record<InjectionKind, string>> = {
  override: "a call to ignore instructions",
  frame: "the markup of a prompt",
  speaker: "a line of another speaker",
  order: "an order about the review",
  address: "words to a machine",
  hidden: "text that people do not see",
  encoded: "encoded text",
};
