import { countOf, isPartial, type Report, type ReportedFinding, type Severity } from "#core/report/report.ts";
import { visibleJson } from "#core/terminal/visible-text.ts";

/** Goes up when something is taken away or changes its meaning, not when something is added. */
const formatVersion = 1;

export function jsonReport(report: Report, toolVersion: string): string {
  const { change, findings, roles, coverage } = report;
  const document = {
    version: formatVersion,
    tool: { name: "drover", version: toolVersion },
    change: { description: change.words, base: change.base, head: change.head, files: change.files },
    worst: worstOf(report),
    isPartial: isPartial(report),
    counts: {
      blocking: countOf(report, "blocking"),
      problem: countOf(report, "problem"),
      belowThreshold: report.belowThreshold,
    },
    findings: findings.map(findingDocument),
    roles: roles.map(({ role, reviewer, state }) => ({
      role,
      reviewer,
      state: state.kind,
      words: state.kind === "completed" ? state.summary : state.why,
    })),
    coverage,
    costMicroUsd: report.costMicroUsd,
    tookMs: Math.round(report.tookMs),
  };
  return `${visibleJson(document)}\n`;
}

function worstOf(report: Report): Severity | "nothing" {
  if (report.findings.length === 0) return "nothing";
  return countOf(report, "blocking") > 0 ? "blocking" : "problem";
}

function findingDocument(finding: ReportedFinding) {
  const { id, severity, role, rule, score, path, side, lines, isWholeFile } = finding;
  const { snippet, message, assessment, suggestion } = finding;
  const place = { path, side, lines: isWholeFile ? null : lines };
  return { id, severity, role, rule, score, ...place, snippet, message, assessment, suggestion };
}
