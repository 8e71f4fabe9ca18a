import type { ReportedFinding } from "#core/report/report.ts";
import { placeWords, suggestedLines } from "#core/report/report-words.ts";

const levels = { blocking: "error", problem: "warning" } as const satisfies Record<ReportedFinding["severity"], string>;

/** One finding as a result, with its place, its code, its lasting identity, and its fix where there is one. */
export function sarifResult(finding: ReportedFinding, ruleIndex: number) {
  const { id, severity, rule, role, message, assessment, score, path } = finding;
  const artifactLocation = artifactOf(path);
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: [`${whereWords(finding)}${message}`, assessment].filter((text) => text !== "").join("\n\n") },
    locations: [{ physicalLocation: { artifactLocation, region: regionOf(finding) } }],
    // A name of our own: under GitHub's own name its upload action expects its own hash, and warns about any other.
    partialFingerprints: { "droverFinding/v1": id },
    ...fixesOf(finding),
    properties: { score, role, side: finding.side },
  };
}

/** Relative to the root of the checkout, and a valid URI whatever the name is. */
function artifactOf(path: string) {
  const uri = path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map((segment) => encodeURIComponent(segment))
    .join("/");
  return { uri, uriBaseId: "%SRCROOT%" };
}

/** Lines that are gone have numbers of the file before the change, which mean other lines in the file as it is. */
function whereWords(finding: ReportedFinding): string {
  return finding.side === "old" ? `(${placeWords(finding)}) ` : "";
}

/**
 * A remark on a whole file stands at its first line: code scanning shows nothing without a line. So does one on lines that
 * are gone.
 */
function regionOf({ lines, side, isWholeFile, frame }: ReportedFinding) {
  if (isWholeFile || side === "old") return { startLine: 1 };
  const marked = frame.filter(({ isMarked }) => isMarked).map(({ text }) => text);
  const snippet = marked.length === 0 ? {} : { snippet: { text: marked.join("\n") } };
  return { startLine: lines.first, endLine: lines.last, ...snippet };
}

/** A region of whole lines ends before the last line's break; to take lines away it reaches to the next one's start. */
function fixesOf({ suggestion, lines, path, side, isWholeFile }: ReportedFinding) {
  if (suggestion === null || isWholeFile || side === "old") return {};
  const inserted = suggestedLines(suggestion);
  const isRemoval = inserted.length === 0;
  const deletedRegion = isRemoval
    ? { startLine: lines.first, startColumn: 1, endLine: lines.last + 1, endColumn: 1 }
    : { startLine: lines.first, endLine: lines.last };
  const replacement = { deletedRegion, insertedContent: { text: inserted.join("\n") } };
  const artifactChanges = [{ artifactLocation: artifactOf(path), replacements: [replacement] }];
  return { fixes: [{ description: { text: "Drover's suggestion" }, artifactChanges }] };
}
