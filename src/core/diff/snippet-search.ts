import { byte, encodeText } from "#core/diff/byte-scan.ts";
import type { Side } from "#core/diff/hunk.ts";
import { type FileLines, lineMark, lineText } from "#core/diff/line-index.ts";
import { type SnippetLine, type SnippetText, squeeze } from "#core/diff/snippet.ts";

export interface SnippetMatch {
  readonly startLine: number;
  readonly endLine: number;
  /** 0 within the place, infinite where no line was claimed. */
  readonly distance: number;
  readonly offset: number;
}

export interface SnippetMatches {
  readonly count: number;
  /** Of equally near places the one that begins nearest: a claim names mostly a beginning. */
  readonly nearest: SnippetMatch | undefined;
}

export interface SearchInput {
  readonly lines: FileLines;
  readonly side: Side;
  readonly snippet: SnippetText;
  readonly claimedLine: number | undefined;
}

export function searchSnippet(input: SearchInput): { readonly exact: SnippetMatches; readonly loose: SnippetMatches } {
  const { lines, side, snippet } = input;
  const skipped = side === "new" ? lineMark.removed : lineMark.added;
  let exact: SnippetMatches = nowhere;
  let loose: SnippetMatches = nowhere;
  if (snippet.lines.length === 0) return { exact, loose };
  for (let hunk = 0; hunk < lines.hunks.length; hunk += 1) {
    const after = lines.hunkStarts[hunk + 1] ?? 0;
    for (let index = lines.hunkStarts[hunk] ?? 0; index < after; index += 1) {
      if (lines.marks[index] === skipped) continue;
      const found = matchAt(input, { index, after, skipped });
      if (found === undefined) continue;
      const place = makePlace(input, { first: index, last: found.last });
      loose = addPlace(loose, place);
      if (found.isExact) exact = addPlace(exact, place);
    }
  }
  return { exact, loose };
}

const nowhere: SnippetMatches = { count: 0, nearest: undefined };

function matchAt(
  { lines, snippet }: SearchInput,
  { index, after, skipped }: { readonly index: number; readonly after: number; readonly skipped: number },
): { readonly last: number; readonly isExact: boolean } | undefined {
  let at = index;
  let last = index;
  let isExact = true;
  for (const line of snippet.lines) {
    while (at < after && lines.marks[at] === skipped) at += 1;
    if (at >= after) return undefined;
    const equality = compareLine(lines, at, line, snippet.isLossy);
    if (equality === "different") return undefined;
    isExact = isExact && equality === "exact";
    last = at;
    at += 1;
  }
  return { last, isExact };
}

type Equality = "exact" | "loose" | "different";

function compareLine(lines: FileLines, index: number, line: SnippetLine, isLossy: boolean): Equality {
  if (isLossy) return compareBytes(encodeText(lineText(lines, index)), 0, undefined, line);
  return compareBytes(lines.bytes, lines.starts[index] ?? 0, lines.ends[index], line);
}

function compareBytes(bytes: Uint8Array, from: number, end: number | undefined, line: SnippetLine): Equality {
  const to = end ?? bytes.length;
  let at = 0;
  for (let index = from; index < to; index += 1) {
    const value = bytes[index] ?? 0;
    if (isWhitespace(value)) continue;
    if (value !== line.squeezed[at]) return "different";
    at += 1;
  }
  if (at !== line.squeezed.length) return "different";
  const endsInReturn = to > from && bytes[to - 1] === byte.carriageReturn;
  return sameAt(bytes, from, endsInReturn ? to - 1 : to, line.exact) ? "exact" : "loose";
}

function isWhitespace(value: number): boolean {
  return value === byte.space || (value >= byte.tab && value <= byte.carriageReturn);
}

function sameAt(bytes: Uint8Array, from: number, to: number, exact: Uint8Array): boolean {
  return to - from === exact.length && exact.every((value, index) => value === bytes[from + index]);
}

function makePlace(
  { lines, side, claimedLine }: SearchInput,
  { first, last }: { readonly first: number; readonly last: number },
): SnippetMatch {
  const numbers = side === "new" ? lines.newNumbers : lines.oldNumbers;
  const startLine = numbers[first] ?? 0;
  const endLine = numbers[last] ?? 0;
  if (claimedLine === undefined || !Number.isFinite(claimedLine)) {
    return { startLine, endLine, distance: Number.POSITIVE_INFINITY, offset: Number.POSITIVE_INFINITY };
  }
  const distance = Math.max(0, startLine - claimedLine, claimedLine - endLine);
  return { startLine, endLine, distance, offset: Math.abs(startLine - claimedLine) };
}

function addPlace({ count, nearest }: SnippetMatches, place: SnippetMatch): SnippetMatches {
  return { count: count + 1, nearest: nearest === undefined || isNearer(place, nearest) ? place : nearest };
}

function isNearer(place: SnippetMatch, other: SnippetMatch): boolean {
  return place.distance < other.distance || (place.distance === other.distance && place.offset < other.offset);
}

/** Quoting a part of a line is common, but says less, so this looks only around the claimed line. */
export function searchPart(input: SearchInput, reachLines: number): SnippetMatch | undefined {
  const { lines, side, snippet } = input;
  const [only, ...more] = snippet.lines;
  if (only === undefined || more.length > 0 || snippet.isTrivial) return undefined;
  const skipped = side === "new" ? lineMark.removed : lineMark.added;
  const part = squeeze(only.text);
  let places: SnippetMatches = nowhere;
  for (let index = 0; index < lines.length; index += 1) {
    if (lines.marks[index] === skipped) continue;
    const place = makePlace(input, { first: index, last: index });
    if (place.distance > reachLines || !squeeze(lineText(lines, index)).includes(part)) continue;
    places = addPlace(places, place);
  }
  return places.nearest;
}
