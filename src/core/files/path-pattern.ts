/** As GitHub reads CODEOWNERS. At most pattern length times path length steps, whatever the pattern. */
export interface PathPattern {
  readonly parts: readonly PatternPart[];
}

export type PatternPart =
  | { readonly kind: "segments" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "glob"; readonly pieces: readonly GlobPiece[] };

/** Any one character stands between each two. */
type GlobPiece = readonly [string, ...string[]];

/** Steps are counted, not timed, so every machine answers the same. An answer below zero means nothing. */
export interface StepBudget {
  left: number;
}

export type PatternProblem = "negation" | "range" | "three_asterisks" | "dangling_escape";

export type PatternResult =
  | { readonly kind: "pattern"; readonly pattern: PathPattern }
  | { readonly kind: "invalid"; readonly why: PatternProblem };

const anyOne: PatternPart = { kind: "glob", pieces: [[""], [""]] };
const anySegments: PatternPart = { kind: "segments" };
const oneOrMore: readonly PatternPart[] = [anyOne, anySegments];

export function readPattern(text: string): PatternResult {
  if (text.startsWith("!")) return { kind: "invalid", why: "negation" };
  const problem = findProblem(text);
  if (problem !== undefined) return { kind: "invalid", why: problem };
  const isDirectory = text.endsWith("/");
  const isRooted = text.startsWith("/");
  const segments = text.slice(isRooted ? 1 : 0, isDirectory ? -1 : undefined).split("/");
  const isAnchored = isRooted || segments.length > 1;
  return { kind: "pattern", pattern: { parts: partsOf(segments, { isAnchored, isDirectory }) } };
}

/** Relative to the root, without a leading slash. */
export function matchesPath(pattern: PathPattern, path: readonly string[], budget: StepBudget = endless()): boolean {
  const { parts } = pattern;
  let part = 0;
  let segment = 0;
  let resume: { readonly part: number; segment: number } | undefined;
  while (segment < path.length) {
    const wanted = parts[part];
    if (--budget.left < 0) return false;
    if (wanted?.kind === "segments") {
      resume = { part: part + 1, segment };
      part = resume.part;
      // Nothing can follow that a longer path would spoil.
      if (part === parts.length) return true;
    } else if (wanted !== undefined && matchesSegment(wanted, path[segment] ?? "", budget)) {
      part++;
      segment++;
    } else if (resume !== undefined) {
      // The run of segments takes one more, and what follows it is tried again from there.
      resume.segment++;
      ({ part, segment } = resume);
    } else return false;
  }
  while (parts[part]?.kind === "segments") part++;
  return part === parts.length;
}

function endless(): StepBudget {
  return { left: Number.POSITIVE_INFINITY };
}

const specialCharacters = /[*?[\]\\]/;

function findProblem(text: string): PatternProblem | undefined {
  if (!specialCharacters.test(text)) return undefined;
  let asterisks = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    asterisks = character === "*" ? asterisks + 1 : 0;
    if (asterisks === 3) return "three_asterisks";
    if (character === "[" || character === "]") return "range";
    if (character !== "\\") continue;
    index++;
    // A slash only parts segments, so it cannot be escaped.
    if (index === text.length || text[index] === "/") return "dangling_escape";
  }
  return undefined;
}

function partsOf(
  segments: readonly string[],
  manner: { readonly isAnchored: boolean; readonly isDirectory: boolean },
): readonly PatternPart[] {
  const parts: PatternPart[] = manner.isAnchored ? [] : [anySegments];
  const last = segments.at(-1);
  for (const segment of segments.slice(0, -1)) parts.push(segment === "**" ? anySegments : readSegment(segment));
  if (last === "**") parts.push(...oneOrMore);
  else parts.push(readSegment(last ?? ""));
  if (manner.isDirectory) parts.push(...oneOrMore);
  // A file or folder covers everything below it, save a final `*`: `docs/*` is not `docs/deep/page.md`.
  else if (last !== "*" && last !== "**") parts.push(anySegments);
  return parts;
}

function readSegment(segment: string): PatternPart {
  if (!specialCharacters.test(segment)) return { kind: "literal", text: segment };
  const pieces: [string, ...string[]][] = [[""]];
  let wasRun = false;
  for (let index = 0; index < segment.length; index++) {
    const character = segment[index] ?? "";
    const piece = pieces.at(-1) ?? [""];
    const isRun = character === "*";
    if (isRun && !wasRun) pieces.push([""]);
    else if (character === "?") piece.push("");
    else if (!isRun) piece[piece.length - 1] += character === "\\" ? (segment[++index] ?? "") : character;
    wasRun = isRun;
  }
  const [only, ...others] = pieces;
  const isLiteral = others.length === 0 && only?.length === 1;
  return isLiteral ? { kind: "literal", text: only[0] } : { kind: "glob", pieces };
}

function matchesSegment(part: PatternPart, segment: string, budget: StepBudget): boolean {
  if (part.kind === "literal") return part.text === segment;
  return part.kind === "glob" && matchesGlob(part.pieces, segment, budget);
}

/** The first piece begins the segment, the last one ends it, and each between is taken where it first comes. */
function matchesGlob(pieces: readonly GlobPiece[], segment: string, budget: StepBudget): boolean {
  const [first = [""]] = pieces;
  const last = pieces.length - 1;
  let at = endOfPiece(first, segment, { start: 0, budget });
  for (let index = 1; index <= last && at !== -1; index++) {
    at = findPiece(pieces[index] ?? [""], segment, { from: at, isLast: index === last, budget });
  }
  return at === segment.length;
}

function endOfPiece(
  piece: GlobPiece,
  segment: string,
  { start, budget }: { readonly start: number; readonly budget: StepBudget },
): number {
  let at = start;
  for (let index = 0; index < piece.length; index++) {
    const text = piece[index] ?? "";
    budget.left--;
    if (index > 0) at += widthAt(segment, at);
    if (at > segment.length || !segment.startsWith(text, at)) return -1;
    at += text.length;
  }
  return at;
}

/** So many characters are looked through in the time of a step. */
const stepCharacters = 64;

function findPiece(
  piece: GlobPiece,
  segment: string,
  { from, isLast, budget }: { readonly from: number; readonly isLast: boolean; readonly budget: StepBudget },
): number {
  const [first] = piece;
  budget.left -= 1 + segment.length / stepCharacters;
  if (piece.length === 1) {
    if (isLast) return segment.length - first.length >= from && segment.endsWith(first) ? segment.length : -1;
    const start = segment.indexOf(first, from);
    return start === -1 ? -1 : start + first.length;
  }
  // With nothing before its first `?` a piece is found everywhere, and behind the end for ever.
  for (let start = segment.indexOf(first, from); start !== -1 && start < segment.length; ) {
    const end = endOfPiece(piece, segment, { start, budget });
    if (end !== -1 && (!isLast || end === segment.length)) return end;
    if (budget.left < 0) return -1;
    start = segment.indexOf(first, start + 1);
  }
  return -1;
}

/** Characters beyond the basic plane take two places, and `?` is one character. */
function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

export interface PathFilter {
  readonly matches: (path: string) => boolean;
  /** They match nothing, and people are told. */
  readonly unusable: readonly string[];
  readonly isEmpty: boolean;
}

export function readPathFilter(texts: readonly string[]): PathFilter {
  const read = texts.map((text) => ({ text, pattern: patternOf(text) }));
  const patterns = read.flatMap(({ pattern }) => pattern ?? []);
  return {
    matches: (path) => patterns.some((pattern) => matchesPath(pattern, path.split("/"))),
    isEmpty: texts.length === 0,
    unusable: read.filter(({ pattern }) => pattern === null).map(({ text }) => text),
  };
}

function patternOf(text: string): PathPattern | null {
  const read = readPattern(text);
  return read.kind === "pattern" ? read.pattern : null;
}
