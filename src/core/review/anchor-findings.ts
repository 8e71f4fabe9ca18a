import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import type { Diff } from "#core/diff/diff.ts";
import { hunksOf } from "#core/diff/hunk.ts";
import { findHunk } from "#core/diff/line-map.ts";
import type { RawFinding } from "#core/model/finding.ts";
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
