import { counted } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import { harmlessLine } from "#reviewers/model/harmless-text.ts";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";

export interface ModelFigures {
  readonly said: readonly string[];
  readonly filesRead: number;
  readonly findings: number;
  readonly dropped: number;
  readonly belowThreshold: number;
  readonly unverified: number;
  /** Their quote is not in the diff: they have no place but here. */
  readonly unplaced: readonly SaidFinding[];
  readonly notes: readonly string[];
  readonly version: string;
}

const saidCharactersMax = 300;
const saidMax = 3;
const unplacedMax = 10;
const messageCharactersMax = 300;

export function modelSummary(figures: ModelFigures): string {
  const { said, filesRead, findings, dropped, belowThreshold, unverified, unplaced } = figures;
  const { notes, version } = figures;
  const lines = [
    ...said.slice(0, saidMax).map((text) => harmlessLine(text, saidCharactersMax)),
    [
      `${counted(filesRead, "file", "files")} read: ${counted(findings, "finding", "findings")}`,
      ...(unverified > 0 ? [`${unverified} not verified`] : []),
      ...(dropped > 0 ? [`${dropped} taken back on a second look`] : []),
      ...(belowThreshold > 0 ? [`${belowThreshold} too minor to mention`] : []),
    ]
      .join(", ")
      .concat(` (prompt ${version}).`),
    ...notes,
    ...unplacedLines(unplaced),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function unplacedLines(unplaced: readonly SaidFinding[]): readonly string[] {
  if (unplaced.length === 0) return [];
  const shown = unplaced.slice(0, unplacedMax).map(({ path, message }) => {
    const place = codeSpan(harmlessLine(path, messageCharactersMax));
    return `- ${place} ${harmlessLine(message, messageCharactersMax)}`;
  });
  const rest = unplaced.length - shown.length;
  return [
    "\nAlso said, about code that is not in this change as it was quoted:\n",
    ...shown,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}
