import type { RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";

type LineRange = RawFinding["lines"];

/** Lines that came in (new side) or went away (old side) since the last round, numbered as findings number them. */
export interface ChangedLines {
  readonly old: readonly LineRange[];
  readonly new: readonly LineRange[];
}

/** What changed since the last round of reviews. `everything` also where the head of that round is lost. */
export type ChangedCode =
  | { readonly kind: "everything" }
  | { readonly kind: "parts"; readonly paths: ReadonlyMap<string, ChangedLines> };

/** A finding on a file as a whole counts as changed with any line of the file. */
export function isOnChangedCode({ path, side, lines, snippet }: RawFinding, changed: ChangedCode): boolean {
  if (changed.kind === "everything") return true;
  const parts = changed.paths.get(path);
  if (parts === undefined) return false;
  if (isBlankSnippet(snippet)) return parts.old.length + parts.new.length > 0;
  return parts[side].some((part) => part.first <= lines.last && lines.first <= part.last);
}
