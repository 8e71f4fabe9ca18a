import { readPathFilter } from "#core/files/path-pattern.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";

export interface RolePaths {
  readonly isWanted: (path: string) => boolean;
  readonly unusable: UnusablePatterns;
}

/** They cannot be read. */
export interface UnusablePatterns {
  readonly only: readonly string[];
  readonly excluded: readonly string[];
}

/** A mistake in a pattern must not keep code from being read: that would pass for a review without findings. */
export function readRolePaths(said: {
  /** Absent for no role in particular: then everything is read. */
  readonly brief?: Pick<RoleBrief, "paths"> | undefined;
  readonly excludedPaths: readonly string[];
}): RolePaths {
  const only = readPathFilter(said.brief?.paths ?? []);
  const excluded = readPathFilter(said.excludedPaths);
  const isEverything = only.isEmpty || only.unusable.length > 0;
  return {
    isWanted: (path) => !excluded.matches(path) && (isEverything || only.matches(path)),
    unusable: { only: only.unusable, excluded: excluded.unusable },
  };
}
