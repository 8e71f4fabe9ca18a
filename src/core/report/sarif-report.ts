import type { Report, ReportedFinding } from "#core/report/report.ts";
import { countOf } from "#core/report/report.ts";
import { unreviewedWords } from "#core/report/report-words.ts";
import { sarifResult } from "#core/report/sarif-result.ts";
import { type RuleFacts, sarifRule } from "#core/report/sarif-rule.ts";
import { visibleJson } from "#core/terminal/visible-text.ts";

/** GitHub keeps no more results of one run, and turns a file with many more away. The worst ones are kept. */
const resultsUsual = 5_000;
const namesMax = 1_000;

export interface SarifOptions {
  readonly toolVersion: string;
  /** Rules that are described somewhere; a finding of any other has its name alone. */
  readonly rules: readonly RuleFacts[];
  readonly resultsMax?: number;
}

/** The document of SARIF 2.1.0 for one review, as code scanning takes it. */
export function sarifReport(report: Report, options: SarifOptions): string {
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

/**
 * What was not looked at is a notification of the run. The run as a whole failed only where a role did: code scanning
 * refuses the results of a failed run, and an unread picture is no reason for that.
 */
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
