import { matchesPath, type PathPattern, readPattern } from "#core/approval/path-pattern.ts";

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
