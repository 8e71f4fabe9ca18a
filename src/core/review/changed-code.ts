import type { RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";

type LineRange = RawFinding["lines"];

export interface ChangedLines {
  readonly old: readonly LineRange[];
  readonly new: readonly LineRange[];
}

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
