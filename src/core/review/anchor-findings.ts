import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import type { Diff } from "#core/diff/diff.ts";
import { hunksOf } from "#core/diff/hunk.ts";
import { findHunk } from "#core/diff/line-map.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";

/** A reviewer may number lines wrongly, so its quote is looked for. What is not in the diff goes to the summary. */
export function anchorFindings(diff: Diff, findings: readonly RawFinding[]): readonly RawFinding[] {
  return findings.map((finding) => {
    const { path, snippet, side, lines } = finding;
    if (isBlankSnippet(snippet) || isInDiff(diff, finding)) return finding;
    const anchor = resolveAnchorInDiff(diff, { path, snippet, side, claimedLine: lines.first });
    if (anchor.kind === "not_in_diff") return finding;
    const { file, side: foundSide, startLine, endLine } = anchor.range;
    return { ...finding, path: file.path, side: foundSide, lines: { first: startLine, last: endLine } };
  });
}

function isInDiff(diff: Diff, { path, side, lines }: RawFinding): boolean {
  return diff.files.some((file) => {
    if (file.path !== path) return false;
    const hunks = hunksOf(diff, file);
    const hunk = findHunk(hunks, { side, line: lines.first });
    return hunk !== undefined && hunk === findHunk(hunks, { side, line: lines.last });
  });
}

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
