import { groupBy } from "#core/group-by.ts";
import type { Report, ReportedFinding } from "#core/report/report.ts";
import {
  foundWords,
  partialWords,
  placeWords,
  suggestedLines,
  summaryWords,
  tookWords,
  unreviewedWords,
} from "#core/report/report-words.ts";
import { visibleLine } from "#core/terminal/visible-text.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeBlock, codeSpan, plainLine, plainText } from "#core/words/plain-text.ts";

const messageCharactersMax = 2_000;
const lineCharactersMax = 600;
const codeCharactersMax = 300;
const namesMax = 20;
const suggestionLinesMax = 40;

/** It fits into one comment, calls nobody, and nothing that it quotes acts. */
export function markdownReport(report: Report, handle: string): string {
  const partial = partialWords(report);
  const files = groupBy(report.findings, ({ path }) => path);
  const sections = [
    "### Drover review",
    `${plainLine(foundWords(report), lineCharactersMax)} _${tookWords(report)}_`,
    ...summaryWords(report).map((text) => plainText(text, messageCharactersMax)),
    // What was missed stands before the findings: a long comment is cut at its end.
    ...(partial === null ? [] : [`**${partial}**`]),
    ...unreviewedWords(report, namesMax).map((line) => `- ${plainLine(line, lineCharactersMax)}`),
    ...[...files].flatMap(([path, findings]) => [
      `#### ${codeSpan(visibleLine(path))}`,
      ...findings.map(findingSection),
    ]),
  ];
  return `${outgoing(sections.join("\n\n"), handle)}\n`;
}

function findingSection(finding: ReportedFinding): string {
  const { severity, rule, score, message, assessment, role } = finding;
  const facts = `${placeWords(finding)}, score ${score}, role ${codeSpan(role)}`;
  return [
    `**${severity === "blocking" ? "Blocking" : "Problem"}** · ${codeSpan(rule)} · ${facts}`,
    plainText(message, messageCharactersMax),
    ...(assessment === "" ? [] : [plainText(assessment, messageCharactersMax)]),
    ...codeOf(finding),
  ].join("\n\n");
}

/** A small diff where there is a suggestion, else the code with its line numbers. */
function codeOf({ frame, suggestion, isWholeFile }: ReportedFinding): readonly string[] {
  if (frame.length === 0 || isWholeFile) return [];
  if (suggestion === null) {
    const digits = String(frame.at(-1)?.number ?? 0).length;
    const lines = frame.map(
      ({ number, text, isMarked }) => `${isMarked ? ">" : " "} ${String(number).padStart(digits)} | ${code(text)}`,
    );
    return [codeBlock(lines.join("\n"), "text")];
  }
  const lines = suggestedLines(suggestion);
  const first = frame.findIndex(({ isMarked }) => isMarked);
  const last = frame.findLastIndex(({ isMarked }) => isMarked);
  const diff = [
    ...frame.slice(0, first).map(({ text }) => ` ${code(text)}`),
    ...frame.slice(first, last + 1).map(({ text }) => `-${code(text)}`),
    ...lines.slice(0, suggestionLinesMax).map((line) => `+${code(line)}`),
    ...frame.slice(last + 1).map(({ text }) => ` ${code(text)}`),
  ];
  return [codeBlock(diff.join("\n"), "diff")];
}

function code(text: string): string {
  const shown = visibleLine(text.slice(0, codeCharactersMax));
  return text.length > codeCharactersMax ? `${shown}…` : shown;
}
