import { compareText } from "#core/compare-text.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";

/** By file, then from the top. Total, so that nothing depends on the order in which reviewers answered. */
export function compareFindings(left: RawFinding, right: RawFinding): number {
  return (
    compareText(left.path, right.path) ||
    compareText(left.side, right.side) ||
    left.lines.first - right.lines.first ||
    left.lines.last - right.lines.last ||
    compareText(left.rule, right.rule) ||
    right.score - left.score ||
    compareText(left.role, right.role) ||
    compareText(left.snippet, right.snippet) ||
    compareText(left.message, right.message) ||
    compareText(left.assessment, right.assessment) ||
    compareText(left.suggestion ?? "", right.suggestion ?? "") ||
    Number(left.suggestion === null) - Number(right.suggestion === null)
  );
}

/** Total for known ones: each has an identity of its own. */
export function compareKnown(left: Finding, right: Finding): number {
  return compareFindings(left, right) || compareText(left.id, right.id);
}

export function linesApart(left: RawFinding, right: RawFinding): number {
  return Math.abs(left.lines.first - right.lines.first) + Math.abs(left.lines.last - right.lines.last);
}
