import type { Coverage } from "#core/model/records.ts";
import { countOf, isPartial, type Report, type ReportedFinding } from "#core/report/report.ts";
import { summariseCoverage } from "#core/review/coverage.ts";
import { counted, listed } from "#core/words/counted.ts";

/** Sentences may quote names, so each format makes them safe. */

const unreadWords = {
  size: "too large",
  binary: "binary",
  generated: "since the name says that it is generated (excludedPaths in .drover.yml says what nobody has to read)",
  excluded: "left out by the rules",
  budget: "the budget was used up",
  unreadable: "could not be read",
} as const satisfies Record<Coverage["unread"][number]["why"], string>;

export function placeWords({ lines, side, isWholeFile }: ReportedFinding): string {
  const before = side === "old" ? " before the change" : "";
  if (isWholeFile) return `file${before}`;
  const { first, last } = lines;
  return `${first === last ? `line ${first}` : `lines ${first}-${last}`}${before}`;
}

export function foundWords(report: Report): string {
  const { findings, change, coverage } = report;
  if (change.files === 0 && coverage.unread.length === 0) return `Nothing to review: ${change.words}.`;
  const read = counted(coverage.filesRead, "file", "files");
  const hidden = report.belowThreshold === 0 ? "" : `, ${report.belowThreshold} below the threshold`;
  if (findings.length === 0) return `No findings in ${read} read${hidden}: ${change.words}.`;
  const found = counted(findings.length, "finding", "findings");
  const inFiles = counted(new Set(findings.map(({ path }) => path)).size, "file", "files");
  const weights = `${countOf(report, "blocking")} blocking, ${counted(countOf(report, "problem"), "problem", "problems")}`;
  return `${found} in ${inFiles} (${weights}${hidden}), ${read} read: ${change.words}.`;
}

/** One sentence for each reason. Empty where everything was read. */
export function unreviewedWords(report: Report, namesMax: number): readonly string[] {
  const unread = summariseCoverage(report.coverage).unread.map(
    ({ why, paths }) => `Not read, ${unreadWords[why]}: ${listed(paths, namesMax)}.`,
  );
  const roles = report.roles.flatMap(({ role, state }) => {
    if (state.kind === "completed") return [];
    return [`The role ${role} ${state.kind === "failed" ? "failed" : "was not run"}: ${state.why}`];
  });
  return [...roles, ...unread];
}

export function summaryWords(report: Report): readonly string[] {
  return report.roles.flatMap(({ role, reviewer, state }) => {
    if (state.kind !== "completed" || state.summary === "") return [];
    return reviewer !== "rules" || isPartial(report) ? [`${role}: ${state.summary}`] : [];
  });
}

export function partialWords(report: Report): string | null {
  if (!isPartial(report)) return null;
  return report.coverage.isSwayed === true
    ? "This review is partial: some of the text seems to give orders to models, so what they did not say proves nothing."
    : "This review is partial: not everything was looked at.";
}

export function tookWords({ tookMs }: Report): string {
  return tookMs < 1_000 ? `${Math.round(tookMs)} ms` : `${(tookMs / 1_000).toFixed(1)} s`;
}

export function costWords({ costMicroUsd }: Report): string | null {
  return costMicroUsd === 0 ? null : `$${(costMicroUsd / 1_000_000).toFixed(4)}`;
}

export function suggestedLines(suggestion: string): readonly string[] {
  return suggestion === "" ? [] : suggestion.replace(/\r?\n$/, "").split(/\r?\n/);
}
