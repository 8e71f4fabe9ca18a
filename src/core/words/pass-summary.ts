import type { RawFinding } from "#core/model/finding.ts";
import { counted } from "#core/words/counted.ts";
import { harmlessLine } from "#core/words/harmless-text.ts";
import { codeSpan } from "#core/words/plain-text.ts";

interface ModelFigures {
  /** The model's own words about the change, one for each conversation. */
  readonly said: readonly string[];
  readonly filesRead: number;
  readonly findings: number;
  /** Findings that the verifying turn took back. */
  readonly dropped: number;
  readonly belowThreshold: number;
  readonly unverified: number;
  /** Findings whose quote is not in the diff: they have no place but here. */
  readonly unplaced: readonly Unplaced[];
  /** Whole sentences about limits that were reached and turns that went wrong. */
  readonly notes: readonly string[];
  readonly version: string;
}

interface Unplaced {
  readonly path: string;
  readonly message: string;
}

const saidCharactersMax = 300;
const saidMax = 3;
const unplacedMax = 10;
const messageCharactersMax = 300;

/** What the review looked at, what has no place in the code, and every limit that it met. */
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

function unplacedLines(unplaced: readonly Unplaced[]): readonly string[] {
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

/** Beyond this many lines people skim: the summary says so once, without a finding. */
const linesReadWell = 1_500;
const cutsShownMax = 10;

export interface RuleCut {
  readonly rule: string;
  readonly path: string;
  readonly left: number;
}

interface RulesFigures {
  readonly filesRead: number;
  readonly rules: number;
  readonly findings: number;
  readonly addedLines: number;
  readonly cuts: readonly RuleCut[];
  /** About patterns of no use. */
  readonly notes: readonly string[];
}

/** What the review looked at, and every limit that it met. */
export function rulesSummary({ filesRead, rules, findings, addedLines, cuts, notes }: RulesFigures): string {
  const read = counted(filesRead, "file", "files");
  const sentences = [
    `${read} read with ${counted(rules, "rule", "rules")}: ${counted(findings, "finding", "findings")}.`,
    ...(addedLines > linesReadWell
      ? [`This change adds ${addedLines} lines; smaller ones are read with more care, by people too.`]
      : []),
    ...cuts.slice(0, cutsShownMax).map(cutSentence),
    ...(cuts.length > cutsShownMax ? [`${cuts.length - cutsShownMax} more limits of this kind were reached.`] : []),
    ...notes,
  ];
  return sentences.join(" ");
}

function cutSentence({ rule, path, left }: RuleCut): string {
  const more = counted(left, "more finding", "more findings");
  return `The limit was reached: ${more} of ${codeSpan(rule)} in ${codeSpan(path)} not shown.`;
}

const lateShownMax = 5;
const lateCharactersMax = 200;

/** Code that the role had read before. It goes into the summary of the look. */
export function lateWords(late: readonly RawFinding[]): string {
  if (late.length === 0) return "";
  const worstFirst = late.toSorted((left, right) => right.score - left.score);
  const lines = worstFirst.slice(0, lateShownMax).map(({ path, lines: { first }, message, score }) => {
    return `- ${codeSpan(`${path}:${first}`)} ${quiet(message)} (score ${score})`;
  });
  const rest = late.length - lines.length;
  return [
    "These remarks are about code that an earlier review covered. They do not block the merge:\n",
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ].join("\n");
}

/** What is left of HTML is made harmless with the rest of the summary. */
function quiet(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'").replace(/!?\[/g, "(").replaceAll("]", ")").trim();
  return line.length > lateCharactersMax ? `${line.slice(0, lateCharactersMax - 1)}…` : line;
}
