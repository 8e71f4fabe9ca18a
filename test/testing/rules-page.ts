import { codeSpan } from "#core/words/plain-text.ts";
import { codeCharactersMax, reviewLimits } from "#reviewers/rules/review-limits.ts";
import type { Rule } from "#reviewers/rules/rule.ts";

export function pageParts(rules: readonly Rule[]): ReadonlyMap<string, string> {
  return new Map([
    ["rules", rulesTable(rules)],
    ["limits", limitsTable()],
  ]);
}

export function fillPage(page: string, parts: ReadonlyMap<string, string>): string | undefined {
  let filled = page;
  for (const [name, text] of parts) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const from = filled.indexOf(open);
    const to = filled.indexOf(close);
    if (from === -1 || to < from) return undefined;
    filled = `${filled.slice(0, from + open.length)}\n\n${text}\n\n${filled.slice(to)}`;
  }
  return filled;
}

function rulesTable(rules: readonly Rule[]): string {
  const rows = rules.map(
    ({ name, title, score, catches, example }) =>
      `| ${codeSpan(name)} | ${score} | **${cell(title)}.** ${cell(catches)} | ${cell(codeSpan(example))} |`,
  );
  return ["| rule | score | what it catches | example |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function limitsTable(): string {
  const all = { ...reviewLimits, codeCharactersMax };
  const rows = Object.entries(all).map(([name, value]) => `| ${codeSpan(name)} | ${value.toLocaleString("en-GB")} |`);
  return ["| limit | value |", "| --- | --- |", ...rows].join("\n");
}

/** A bar would end the cell, in code too. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
