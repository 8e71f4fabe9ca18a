import { matchesPath, type PathPattern, readPattern } from "#core/approval/path-pattern.ts";

/** What the role does not look at. */
export interface ExcludedPaths {
  readonly matches: (path: string) => boolean;
  /** Patterns that cannot be read: they exclude nothing, and people are told. */
  readonly unusable: readonly string[];
}

export function readExcludedPaths(texts: readonly string[]): ExcludedPaths {
  const patterns: PathPattern[] = [];
  const unusable: string[] = [];
  for (const text of texts) {
    const read = readPattern(text);
    if (read.kind === "pattern") patterns.push(read.pattern);
    else unusable.push(text);
  }
  return { unusable, matches: (path) => patterns.some((pattern) => matchesPath(pattern, path.split("/"))) };
}
