import { type Counts, countCase, countRole, countRun, countTag, tagsOf } from "#core/eval/counts.ts";
import { comparisonOf, type EvalReport, failedPasses, summariseRun, sumSpent } from "#core/eval/eval-report.ts";
import type { CaseResult, EvalRun } from "#core/eval/eval-run.ts";
import {
  calibrationWords,
  comparisonWords,
  durationWords,
  endingWords,
  missedFindingWords,
  percent,
  preciseDollars,
  precisionWords,
  recallWords,
  spentWords,
  steadinessWords,
  wrongWords,
} from "#core/eval/eval-words.ts";
import { judgedTogether } from "#core/eval/merge-passes.ts";
import { ratesOf } from "#core/eval/rates.ts";
import { repeatabilityOf } from "#core/eval/repeatability.ts";
import type { TextPage } from "#core/report/text-report.ts";
import { styled, type TextStyle } from "#core/terminal/styled-text.ts";
import { type Cell, tableLines } from "#core/terminal/text-table.ts";
import { visibleLine } from "#core/terminal/visible-text.ts";
import { wrapLine } from "#core/terminal/wrap-line.ts";
import { counted } from "#core/words/counted.ts";

export function evalText(report: EvalReport, page: TextPage): string {
  const { run } = report;
  const blocks = [
    caseLines(run, page),
    tableLines(tagRows(run), page),
    run.roles.length > 1 ? tableLines(roleRows(run), page) : [],
    tableLines(configurationRows(report), page),
    closingLines(report, page),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const headings = ["expected", "found", "wrong"] as const;

function caseLines(run: EvalRun, page: TextPage): readonly string[] {
  const rows = run.cases.map((result) => ({ result, cells: caseCells(run, result) }));
  const head: readonly Cell[] = ["case", ...headings, "cost", "time"].map((text) => ({ text, style: "faint" }));
  const lines = tableLines([head, ...rows.map(({ cells }) => cells)], page);
  return lines.flatMap((line, index) => {
    const result = rows[index - 1]?.result;
    return result === undefined ? [line] : [line, ...mistakeLines(run, result, page)];
  });
}

function caseCells(run: EvalRun, result: CaseResult): readonly Cell[] {
  const counts = countCase(run, result);
  const { costMicroUsd, ms } = sumSpent(result.looks.map(({ spent }) => spent));
  const style = result.looks.length === 0 ? "faint" : styleOf(counts);
  const name = { text: result.case.name, style };
  const spent = [costMicroUsd === 0 ? "–" : preciseDollars(costMicroUsd), durationWords(ms)].map((text) => ({ text }));
  if (counts.looks === 0) return [name, { text: "–" }, { text: "–" }, { text: "–" }, ...spent];
  return [name, ...countCells(counts), ...spent];
}

function countCells({ expected, found, wrong }: Counts): readonly Cell[] {
  return [
    { text: String(expected) },
    { text: String(found), style: found < expected ? "problem" : undefined },
    { text: String(wrong), style: wrong > 0 ? "problem" : undefined },
  ];
}

function styleOf({ looks, expected, found, wrong }: Counts): TextStyle {
  if (looks === 0) return "blocking";
  return found === expected && wrong === 0 ? "good" : "problem";
}

const inner = "    ";

/** Each once, however many attempts it happened in. */
function mistakeLines(run: EvalRun, result: CaseResult, page: TextPage): readonly string[] {
  const judged = judgedTogether(result, run);
  const missed = judged.flatMap(({ hits }) =>
    result.case.expected.flatMap((expected, index) =>
      (hits[index] ?? null) === null ? [`missed  ${missedFindingWords(expected)}`] : [],
    ),
  );
  const wrong = judged.flatMap((each) => each.wrong.map((one) => `wrong   ${wrongWords(one)}`));
  const unread = result.looks.flatMap(({ role, outcome }) =>
    outcome.kind === "judged" && outcome.unread.length > 0
      ? [`unread  ${counted(outcome.unread.length, "file", "files")} by the role ${role}`]
      : [],
  );
  return [...times([...missed, ...wrong, ...unread])].flatMap(([words, count]) => {
    const often = count > 1 ? ` (${count} times)` : "";
    return wrapLine(visibleLine(`${words.replaceAll("\n", " ")}${often}`), page.columns - inner.length).map(
      (line) => inner + styled(line, "faint", page),
    );
  });
}

function times(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/** A set may have a tag for every case; the commonest tags say most. */
const tagsMax = 12;

function tagRows(run: EvalRun): readonly (readonly Cell[])[] {
  const all = tagsOf(run).map((tag) => ({ tag, counts: countTag(run, tag) }));
  const most = all.toSorted((left, right) => right.counts.looks - left.counts.looks).slice(0, tagsMax);
  const rows = most.map(({ tag, counts }) => figureCells(tag, counts));
  return rows.length === 0 ? [] : [figureHead("tag"), ...rows];
}

function roleRows(run: EvalRun): readonly (readonly Cell[])[] {
  return [figureHead("role"), ...run.roles.map(({ name }) => figureCells(name, countRole(run, name)))];
}

function configurationRows({ run, against }: EvalReport): readonly (readonly Cell[])[] {
  if (against === null) return [];
  const rows = [summariseRun(run), against].map(({ configuration, counts, spent }) => [
    ...figureCells(configuration, counts),
    { text: spent.costMicroUsd === 0 ? "–" : preciseDollars(spent.costMicroUsd) },
  ]);
  return [[...figureHead("configuration"), { text: "cost", style: "faint" }], ...rows];
}

function figureHead(what: string): readonly Cell[] {
  return [what, ...headings, "recall", "precision"].map((text) => ({ text, style: "faint" }));
}

function figureCells(name: string, counts: Counts): readonly Cell[] {
  const { recall, precision } = ratesOf(counts);
  return [{ text: name }, ...countCells(counts), { text: percent(recall) }, { text: percent(precision) }];
}

function closingLines(report: EvalReport, page: TextPage): readonly string[] {
  const { run, against, skipped } = report;
  const counts = countRun(run);
  const { spent } = summariseRun(run);
  const steadiness = repeatabilityOf(run);
  const comparison = comparisonOf(report);
  const kept = run.cases.flatMap(({ looks }) => looks).filter((look) => look.spent.isKept).length;
  const ending = endingWords(run);
  const lines: readonly { readonly words: string; readonly style?: TextStyle }[] = [
    ...skipped.map((words) => ({ words: `Left out: ${words}`, style: "problem" as const })),
    ...failedPasses(run).map(({ name, words }) => ({ words: `${name}: ${words}`, style: "problem" as const })),
    { words: [recallWords(counts), precisionWords(counts), ...calibrationWords(counts)].join(" ") },
    ...(steadiness === null ? [] : steadinessWords(steadiness, run.attempts)).map((words) => ({ words })),
    ...(comparison === null || against === null ? [] : comparisonWords(comparison, against.configuration)).map(
      (words) => ({ words }),
    ),
    ...(kept === 0 ? [] : [{ words: `${counted(kept, "answer", "answers")} of an earlier run used again.` }]),
    ...(ending === null ? [] : [{ words: ending, style: "problem" as const }]),
    { words: totalWords(report, spent), style: "faint" },
  ];
  return lines.flatMap(({ words, style }) =>
    wrapLine(visibleLine(words.replaceAll("\n", " ")), page.columns).map((line) =>
      style === undefined ? line : styled(line, style, page),
    ),
  );
}

function totalWords({ run, set }: EvalReport, spent: ReturnType<typeof summariseRun>["spent"]): string {
  const cases = counted(run.cases.length, "case", "cases");
  const attempts = run.attempts === 1 ? "" : `, ${run.attempts} attempts`;
  const money = spentWords(spent);
  return `${cases} of ${set} with ${run.configuration}${attempts}: ${durationWords(spent.ms)}${money === "" ? "" : `, ${money}`}.`;
}
