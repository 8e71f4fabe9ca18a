import { counted } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import type { RuleCut } from "#reviewers/rules/limit-hits.ts";

/** Beyond it people skim: said once, without a finding. */
const linesReadWell = 1_500;
const cutsShownMax = 10;

export interface ReviewFigures {
  readonly filesRead: number;
  readonly rules: number;
  readonly findings: number;
  readonly addedLines: number;
  readonly cuts: readonly RuleCut[];
  readonly notes: readonly string[];
}

export function reviewSummary({ filesRead, rules, findings, addedLines, cuts, notes }: ReviewFigures): string {
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
