import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { Finding } from "#core/model/finding.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";

/**
 * Open findings, at the lines where their code is now. A model that does not mention a finding leaves it at its old
 * line: people would be sent to the wrong line, and a remark about the right one would seem to be new.
 */
export function relocateFindings(
  diff: Diff,
  known: readonly Finding[],
  /** New path to old path. */
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
    // Of two on equal code each has its own lines: where both would land on the same, one of them stays where it was.
    const place = JSON.stringify([path, side, startLine, endLine, finding.rule]);
    if (places.has(place)) return finding;
    places.add(place);
    return { ...finding, lines: { first: startLine, last: endLine } };
  });
}
