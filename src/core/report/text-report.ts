import { groupBy } from "#core/group-by.ts";
import type { FrameLine } from "#core/report/code-frame.ts";
import type { Report, ReportedFinding } from "#core/report/report.ts";
import {
  costWords,
  foundWords,
  partialWords,
  placeWords,
  suggestedLines,
  summaryWords,
  tookWords,
  unreviewedWords,
} from "#core/report/report-words.ts";
import { styled } from "#core/terminal/styled-text.ts";
import { cutLine, visibleLine } from "#core/terminal/visible-text.ts";
import { wrapLine } from "#core/terminal/wrap-line.ts";

export interface TextPage {
  readonly columns: number;
  readonly hasColours: boolean;
}

const margin = "  ";
const inner = "    ";
const namesMax = 10;
const suggestionLinesMax = 20;

export function textReport(report: Report, page: TextPage): string {
  const files = groupBy(report.findings, ({ path }) => path);
  const sections = [...files].flatMap(([path, findings]) => [
    styled(visibleLine(path), "path", page),
    ...findings.flatMap((finding) => [...findingLines(finding, page), ""]),
  ]);
  return `${[...sections, ...closingLines(report, page)].join("\n")}\n`;
}

function findingLines(finding: ReportedFinding, page: TextPage): readonly string[] {
  const { severity, rule, role, score, message, assessment } = finding;
  const facts = [placeWords(finding), `score ${score}`, ...(role === "general" ? [] : [`role ${role}`])].join(", ");
  return [
    `${margin}${styled(severity, severity, page)} ${visibleLine(rule)} ${styled(`(${visibleLine(facts)})`, "faint", page)}`,
    ...[message, assessment].filter((text) => text !== "").flatMap((text) => paragraph(text, page)),
    ...frameLines(finding.frame, page),
    ...suggestionLines(finding, page),
  ];
}

function paragraph(text: string, page: TextPage): readonly string[] {
  return text
    .split(/\r?\n/)
    .flatMap((line) => wrapLine(visibleLine(line), page.columns - inner.length))
    .map((line) => `${inner}${line}`.trimEnd());
}

function frameLines(frame: readonly FrameLine[], page: TextPage): readonly string[] {
  const digits = String(frame.at(-1)?.number ?? 0).length;
  return frame.flatMap(({ number, text, isMarked }, index) => {
    const before = frame[index - 1];
    const gap =
      before !== undefined && before.number < number - 1
        ? [styled(`${inner}  ${" ".repeat(digits)} ⋮`, "faint", page)]
        : [];
    const sign = isMarked ? styled(">", "mark", page) : " ";
    const code = codeLine(text, page, inner.length + digits + 5);
    return [
      ...gap,
      `${inner}${sign} ${styled(`${String(number).padStart(digits)} │`, "faint", page)} ${code}`.trimEnd(),
    ];
  });
}

function suggestionLines({ suggestion, frame, isWholeFile }: ReportedFinding, page: TextPage): readonly string[] {
  if (suggestion === null || isWholeFile) return [];
  const removed = frame
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => `- ${codeLine(text, page, inner.length + 2)}`);
  const lines = suggestedLines(suggestion);
  const added = lines.slice(0, suggestionLinesMax).map((line) => `+ ${codeLine(line, page, inner.length + 2)}`);
  const rest = lines.length > suggestionLinesMax ? [`${inner}… ${lines.length - suggestionLinesMax} more lines`] : [];
  return [
    `${inner}${styled(lines.length === 0 ? "suggestion: take it out" : "suggestion:", "faint", page)}`,
    ...removed.map((line) => inner + styled(line.trimEnd(), "removed", page)),
    ...added.map((line) => inner + styled(line.trimEnd(), "added", page)),
    ...rest,
  ];
}

function codeLine(text: string, page: TextPage, usedColumns: number): string {
  // Cut first: a line can be as long as a file.
  const shown = visibleLine(text.slice(0, page.columns * lookedAtPerColumn));
  return cutLine(text.length > page.columns * lookedAtPerColumn ? `${shown}…` : shown, page.columns - usedColumns);
}

const lookedAtPerColumn = 8;

function closingLines(report: Report, page: TextPage): readonly string[] {
  const partial = partialWords(report);
  const cost = costWords(report);
  const spent = [tookWords(report), ...(cost === null ? [] : [cost])].join(", ");
  const said = [...summaryWords(report), ...unreviewedWords(report, namesMax)].flatMap((text) => text.split(/\r?\n/));
  const missed = said.flatMap((line) => wrapLine(visibleLine(line), page.columns));
  return [
    ...missed,
    ...(partial === null ? [] : [styled(partial, "problem", page)]),
    `${styled(visibleLine(foundWords(report)), report.findings.length === 0 ? "good" : "path", page)} ${styled(spent, "faint", page)}`,
  ];
}
