import type { ModelCall } from "#ports/model.ts";
import type { Metric } from "#server/metric.ts";

export interface ModelCallCounter {
  note(call: ModelCall): void;
  list(): readonly ModelBillLine[];
}

export interface ModelBillLine extends Pick<ModelCall, "model" | "purpose" | "outcome"> {
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  readonly costMicroUsd: number;
  /** Calls with an unknown price. The cost leaves them out, or holds an estimate if they broke off. */
  readonly unpriced: number;
}

export function createModelCallCounter(): ModelCallCounter {
  const lines = new Map<string, ModelBillLine>();
  return {
    note: ({ model, purpose, outcome, ...call }) => {
      const key = `${model} ${purpose} ${outcome}`;
      const before = lines.get(key) ?? { ...nothing, model, purpose, outcome };
      lines.set(key, {
        ...before,
        calls: before.calls + 1,
        tokensIn: before.tokensIn + call.tokensIn,
        tokensCached: before.tokensCached + call.tokensCached,
        tokensOut: before.tokensOut + call.tokensOut,
        costMicroUsd: before.costMicroUsd + call.costMicroUsd,
        unpriced: before.unpriced + (call.isPriced ? 0 : 1),
      });
    },
    list: () => [...lines.values()],
  };
}

const nothing = { calls: 0, tokensIn: 0, tokensCached: 0, tokensOut: 0, costMicroUsd: 0, unpriced: 0 };

export function modelMetrics(bill: ModelCallCounter): readonly Metric[] {
  const lines = bill.list();
  const counter = (name: string, help: string, valueOf: (line: ModelBillLine) => number): Metric => ({
    name,
    help,
    type: "counter",
    samples: lines.map((line) => ({ labels: labelsOf(line), value: valueOf(line) })),
  });
  return [
    counter("drover_model_calls_total", "Requests to models, by outcome.", ({ calls }) => calls),
    counter("drover_model_tokens_in_total", "Tokens sent, those from a cache included.", ({ tokensIn }) => tokensIn),
    counter("drover_model_tokens_cached_total", "Tokens sent that a cache served.", ({ tokensCached }) => tokensCached),
    counter("drover_model_tokens_out_total", "Tokens answered.", ({ tokensOut }) => tokensOut),
    counter("drover_model_cost_dollars_total", "What they cost.", ({ costMicroUsd }) => costMicroUsd / 1e6),
    counter(
      "drover_model_unpriced_calls_total",
      "Requests whose cost is unknown, or only estimated.",
      ({ unpriced }) => unpriced,
    ),
  ];
}

function labelsOf({ model, purpose, outcome }: ModelBillLine): Readonly<Record<string, string>> {
  return { model, purpose, outcome };
}
