import type { CostOverview, CostSums } from "#core/budget/cost-overview.ts";
import { dollars } from "#core/words/budget-words.ts";
import { counted, listed } from "#core/words/counted.ts";

export function costTable(overview: CostOverview, since: string): string {
  const { by, rows, isCut, sum, estimatedMicroUsd, unpriced } = overview;
  if (rows.length === 0) return `No model was asked since ${since}.\n`;
  const hasForges = new Set(rows.map(({ forge }) => forge)).size > 1;
  const table = [
    [by, ...headings],
    ...rows.map((row) => [hasForges ? `${row.forge} ${row.name}` : row.name, ...cells(row)]),
    ["sum", ...cells(sum)],
  ];
  const notes = [
    ...(isCut ? ["There are more than these; the sum is that of all."] : []),
    ...(estimatedMicroUsd === 0
      ? []
      : [
          `${dollars(estimatedMicroUsd)} of the sum is estimated, for answers that broke off: no provider counts those.`,
        ]),
    ...(unpriced.length === 0
      ? []
      : [
          `${counted(sum.unpricedCalls, "call", "calls")} whose cost nobody knows, of ${listed(
            unpriced.map(({ model, calls }) => `${model} (${calls})`),
          )}: the provider did not count, or "prices" has to name the price.`,
        ]),
  ];
  return `${[`since ${since}`, ...aligned(table), ...notes].join("\n")}\n`;
}

const headings = ["calls", "tokens in", "cached", "tokens out", "cost"] as const;

function cells({ calls, tokensIn, tokensCached, tokensOut, costMicroUsd }: CostSums): readonly string[] {
  const cached = tokensIn === 0 ? "-" : `${Math.round((100 * tokensCached) / tokensIn)} %`;
  return [String(calls), String(tokensIn), cached, String(tokensOut), dollars(costMicroUsd)];
}

function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
