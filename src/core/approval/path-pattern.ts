/**
 * The patterns of CODEOWNERS, as GitHub reads them: mostly those of gitignore, without negation and without ranges, and
 * with a final `*` that stays in its folder. Matching takes at most pattern length times path length steps, whatever
 * the pattern: there is one place to go back to at a time, for `**` among segments and for `*` within one.
 */
export interface PathPattern {
  readonly parts: readonly PatternPart[];
}

type PatternPart =
  /** `**`: any number of segments, also none. */
  | { readonly kind: "segments" }
  | { readonly kind: "literal"; readonly text: string }
  /** `end` is the plain text after the last wildcard: comparing it first settles nearly every segment. */
  | { readonly kind: "glob"; readonly glob: readonly GlobPart[]; readonly end: string };

/** A character to be matched literally, any single character, or any run of characters within the segment. */
type GlobPart =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "one" }
  | { readonly kind: "run" };

export type PatternProblem = "negation" | "range" | "three_asterisks" | "dangling_escape";

export type PatternResult =
  | { readonly kind: "pattern"; readonly pattern: PathPattern }
  | { readonly kind: "invalid"; readonly why: PatternProblem };

const anyOne: PatternPart = { kind: "glob", glob: [{ kind: "run" }], end: "" };
const anySegments: PatternPart = { kind: "segments" };
const oneOrMore: readonly PatternPart[] = [anyOne, anySegments];

/** Takes the pattern as it stands in the file, with its escapes. */
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

/** The path is relative to the root of the repository, without a leading slash. */
export function matchesPath(pattern: PathPattern, path: readonly string[]): boolean {
  const { parts } = pattern;
  let part = 0;
  let segment = 0;
  let resume: { readonly part: number; segment: number } | undefined;
  while (segment < path.length) {
    const wanted = parts[part];
    if (wanted?.kind === "segments") {
      resume = { part: part + 1, segment };
      part = resume.part;
      // Nothing can follow that a longer path would spoil.
      if (part === parts.length) return true;
    } else if (wanted !== undefined && matchesSegment(wanted, path[segment] ?? "")) {
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

function findProblem(text: string): PatternProblem | undefined {
  let asterisks = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    asterisks = character === "*" ? asterisks + 1 : 0;
    if (asterisks === 3) return "three_asterisks";
    if (character === "[" || character === "]") return "range";
    if (character !== "\\") continue;
    index++;
    // A slash parts segments and nothing else, so it needs no protection and gets none.
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
  // What names a file or a folder holds for everything below it, save a final `*`: `docs/*` is not `docs/deep/page.md`.
  else if (last !== "*" && last !== "**") parts.push(anySegments);
  return parts;
}

function readSegment(segment: string): PatternPart {
  const glob: GlobPart[] = [];
  const characters = Array.from(segment);
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    if (character === "\\") glob.push({ kind: "character", character: characters[++index] ?? "" });
    else if (character === "?") glob.push({ kind: "one" });
    else if (character !== "*") glob.push({ kind: "character", character });
    else if (glob.at(-1)?.kind !== "run") glob.push({ kind: "run" });
  }
  const plain = glob.slice(glob.findLastIndex((part) => part.kind !== "character") + 1);
  const end = plain.map((part) => (part.kind === "character" ? part.character : "")).join("");
  return plain.length === glob.length ? { kind: "literal", text: end } : { kind: "glob", glob, end };
}

function matchesSegment(part: PatternPart, segment: string): boolean {
  if (part.kind === "literal") return part.text === segment;
  return part.kind === "glob" && segment.endsWith(part.end) && matchesGlob(part.glob, segment);
}

/** The same walk as among segments, one level down: a run takes as little as it can, and one character more on failure. */
function matchesGlob(glob: readonly GlobPart[], segment: string): boolean {
  let part = 0;
  let at = 0;
  let resume: { readonly part: number; at: number } | undefined;
  while (at < segment.length) {
    const wanted = glob[part];
    const width = widthAt(segment, at);
    if (wanted?.kind === "run") {
      resume = { part: part + 1, at };
      part = resume.part;
      if (part === glob.length) return true;
    } else if (wanted?.kind === "one" || (wanted !== undefined && segment.startsWith(wanted.character, at))) {
      part++;
      at += width;
    } else if (resume !== undefined) {
      resume.at += widthAt(segment, resume.at);
      ({ part, at } = resume);
    } else return false;
  }
  while (glob[part]?.kind === "run") part++;
  return part === glob.length;
}

/** Characters beyond the basic plane take two places, and `?` is one character. */
function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}
