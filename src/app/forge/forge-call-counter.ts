import type { ForgeCost } from "#core/words/forge-cost-words.ts";
import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import type { RateLimitStatus } from "#ports/forge.ts";
import type { Metric } from "#server/metric.ts";

export interface ForgeCallCounter {
  note(spent: ForgeCallCost): void;
  list(): readonly BillLine[];
}

export interface BillLine {
  readonly api: ForgeCallCost["api"];
  readonly call: string;
  readonly calls: number;
  readonly points: number;
}

export function createForgeCallCounter(): ForgeCallCounter {
  const lines = new Map<string, BillLine>();
  return {
    note: ({ api, call, points }) => {
      const key = `${api} ${call}`;
      const { calls, points: before } = lines.get(key) ?? { calls: 0, points: 0 };
      lines.set(key, { api, call, calls: calls + 1, points: before + points });
    },
    list: () => [...lines.values()],
  };
}

export function forgeCostOf(bill: ForgeCallCounter, budget: RateLimitStatus | null): ForgeCost | undefined {
  const lines = bill.list();
  if (lines.length === 0) return undefined;
  const sum = (of: "calls" | "points"): number => lines.reduce((total, line) => total + line[of], 0);
  return { requests: sum("calls"), points: sum("points"), budget };
}

export interface BilledForge {
  readonly name: string;
  readonly bill: ForgeCallCounter;
  readonly budget: RateLimitStatus | null;
}

export function forgeMetrics(forges: readonly BilledForge[]): readonly Metric[] {
  const lines = forges.flatMap(({ name, bill }) => bill.list().map((line) => ({ name, ...line })));
  const budgets = forges.flatMap(({ name, budget }) => (budget === null ? [] : [{ name, ...budget }]));
  const labelsOf = ({ name, api, call }: (typeof lines)[number]) => ({ forge: name, api, call });
  return [
    {
      name: "drover_forge_calls_total",
      help: "Answers of a forge, by kind of call.",
      type: "counter",
      samples: lines.map((line) => ({ labels: labelsOf(line), value: line.calls })),
    },
    {
      name: "drover_forge_points_total",
      help: "What calls cost of its rate limit: points of GraphQL, requests of REST.",
      type: "counter",
      samples: lines.map((line) => ({ labels: labelsOf(line), value: line.points })),
    },
    {
      name: "drover_forge_budget_left",
      help: "What is left of the tighter of its rate limits until its next reset.",
      type: "gauge",
      samples: budgets.map(({ name, left }) => ({ labels: { forge: name }, value: left })),
    },
  ];
}
