import { type PathFilter, readPathFilter } from "#core/files/path-filter.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import { codeSpan } from "#core/words/plain-text.ts";

export interface RolePaths {
  readonly isWanted: (path: string) => boolean;
  readonly notes: readonly string[];
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
    notes: [
      ...unusableNotes(only, "so this role looked at everything"),
      ...unusableNotes(excluded, "so it excludes nothing"),
    ],
  };
}

function unusableNotes({ unusable }: PathFilter, consequence: string): readonly string[] {
  return unusable.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, ${consequence}.`);
}
