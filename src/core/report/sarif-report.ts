import { countOf, type Report, type ReportedFinding } from "#core/report/report.ts";
import { placeWords, suggestedLines, unreviewedWords } from "#core/report/report-words.ts";
import { type RuleFacts, sarifRule } from "#core/report/sarif-rule.ts";
import { visibleJson } from "#core/terminal/visible-text.ts";

const levels = { blocking: "error", problem: "warning" } as const satisfies Record<ReportedFinding["severity"], string>;

function sarifResult(finding: ReportedFinding, ruleIndex: number) {
  const { id, severity, rule, role, message, assessment, score, path } = finding;
  const artifactLocation = artifactOf(path);
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: [`${whereWords(finding)}${message}`, assessment].filter((text) => text !== "").join("\n\n") },
    locations: [{ physicalLocation: { artifactLocation, region: regionOf(finding) } }],
    // A name of our own: GitHub's upload action expects its own hash under its own name.
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

/** Lines that are gone have numbers of the file before the change, which mean other lines now. */
function whereWords(finding: ReportedFinding): string {
  return finding.side === "old" ? `(${placeWords(finding)}) ` : "";
}

/** Code scanning shows nothing without a line, so a remark on a file or on gone lines stands at the first line. */
function regionOf({ lines, side, isWholeFile, frame }: ReportedFinding) {
  if (isWholeFile || side === "old") return { startLine: 1 };
  const marked = frame.filter(({ isMarked }) => isMarked).map(({ text }) => text);
  const snippet = marked.length === 0 ? {} : { snippet: { text: marked.join("\n") } };
  return { startLine: lines.first, endLine: lines.last, ...snippet };
}

/** A region ends before the last line's break; to take lines away it reaches to the next line's start. */
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

/** GitHub keeps no more results of one run, and turns a file with many more away. The worst ones are kept. */
const resultsUsual = 5_000;
const namesMax = 1_000;

/** SARIF 2.1.0, as code scanning takes it. */
export function sarifReport(
  report: Report,
  options: { readonly toolVersion: string; readonly rules: readonly RuleFacts[]; readonly resultsMax?: number },
): string {
  const { toolVersion, rules, resultsMax = resultsUsual } = options;
  const kept = worstFirst(report.findings).slice(0, resultsMax);
  const names = [...new Set(kept.map(({ rule }) => rule))].toSorted();
  const facts = new Map(rules.map((rule) => [rule.name, rule]));
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Drover",
            semanticVersion: toolVersion,
            rules: names.map((name) => sarifRule(name, facts.get(name))),
          },
        },
        invocations: [invocationOf(report, kept.length)],
        columnKind: "utf16CodeUnits",
        results: kept.map((finding) => sarifResult(finding, names.indexOf(finding.rule))),
      },
    ],
  };
  return `${visibleJson(document)}\n`;
}

function worstFirst(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  return findings.toSorted((left, right) => right.score - left.score);
}

/** Code scanning refuses the results of a failed run, and an unread picture is no reason for that. */
function invocationOf(report: Report, kept: number) {
  const cut = report.findings.length - kept;
  const texts = [
    ...unreviewedWords(report, namesMax),
    ...(cut === 0 ? [] : [`${cut} findings with lower scores did not fit into this file.`]),
  ];
  return {
    executionSuccessful: report.roles.every(({ state }) => state.kind !== "failed"),
    toolExecutionNotifications: texts.map((text) => ({ level: "warning", message: { text } })),
    properties: {
      change: report.change.words,
      filesRead: report.coverage.filesRead,
      blocking: countOf(report, "blocking"),
      unread: report.coverage.unread,
    },
  };
}
