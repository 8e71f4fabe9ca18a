import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { Finding } from "#core/model/finding.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";

/** Otherwise people are sent to the wrong line, and a remark about the right one seems to be new. */
export function relocateFindings(
  diff: Diff,
  known: readonly Finding[],
  renames: ReadonlyMap<string, string>,
): readonly Finding[] {
  const newPaths = new Map([...renames].map(([path, old]) => [old, path]));
  const places = new Set<string>();
  return known.map((finding) => {
    const { snippet, side, lines, state } = finding;
    if (state.kind === "resolved" || isBlankSnippet(snippet)) return finding;
    const path = newPaths.get(finding.path) ?? finding.path;
    const anchor = resolveAnchorInDiff(diff, { path, snippet, side, claimedLine: lines.first });
    if (anchor.kind === "not_in_diff" || anchor.range.file.path !== path || anchor.range.side !== side) return finding;
    const { startLine, endLine } = anchor.range;
    // Two on equal code keep lines of their own: where both would land on the same, one stays where it was.
    const place = JSON.stringify([path, side, startLine, endLine, finding.rule]);
    if (places.has(place)) return finding;
    places.add(place);
    return { ...finding, lines: { first: startLine, last: endLine } };
  });
}
