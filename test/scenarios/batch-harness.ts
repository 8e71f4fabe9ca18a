import {
  type BatchProvider,
  createBatchProvider,
  type ProviderManner,
  type ProviderOptions,
} from "#batch-providers/batch-provider.ts";
import { modelAt } from "#batch-providers/provider-model.ts";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, type HarnessOptions } from "#harness/harness.ts";
import type { Clock } from "#ports/clock.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Model } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** A harness whose reviews come by batch, through the production clients, from a provider that lives on its clock. */
export interface BatchHarness {
  readonly options: HarnessOptions;
  /** Of the harness that was built last. */
  readonly provider: () => BatchProvider;
  /** All calls that were written down, each once. */
  readonly spent: () => number;
}

/** Something is wrong with this line, the model says. */
const badLine = "export const words = (text: string) => text.split(' ');";
export const changed = { "src/lexer.ts": `${badLine}\n` } as const;

const finding = {
  id: 1,
  rule: "wrong-split",
  path: "src/lexer.ts",
  line: 1,
  code: badLine,
  message: "Several blanks in a row make empty words.",
  score: 8,
  fix: null,
};

/** Finds one thing, and holds to it. */
function sayFinding(prompt: string): string {
  const isSecondLook = prompt.includes('"role":"assistant"');
  const verdicts = isSecondLook ? [{ id: 1, holds: "yes", score: 8, why: "It does." }] : [];
  return JSON.stringify({ summary: "Words are split.", findings: isSecondLook ? [] : [finding], verdicts });
}

export function sayNothing(): string {
  return JSON.stringify({ summary: "Words are split.", findings: [], verdicts: [] });
}

export interface BatchHarnessOptions extends HarnessOptions {
  readonly provider: ProviderManner;
  readonly room?: Partial<Omit<ProviderOptions, "manner" | "now">>;
  /** What the model answers when it is asked live; by default nobody is there. */
  readonly live?: Model["converse"];
  readonly limits?: Partial<ReviewLimits>;
  /** Whether somebody is there to wait for a batch. */
  readonly canWait?: boolean;
}

export function batchHarness(options: BatchHarnessOptions): BatchHarness {
  const { provider: manner, room = {}, rules = {}, live, limits, canWait = true, ...rest } = options;
  let last:
    | { readonly clock: Clock; readonly provider: BatchProvider; readonly spends: Map<string, number> }
    | undefined;
  const parts = (usual: Dependencies): Partial<Dependencies> => {
    const { clock, reviewers, store } = usual;
    // A lost database loses nothing at the provider; a new harness has a new one.
    if (last?.clock !== clock) {
      const provider = createBatchProvider({ manner, now: () => clock.now(), say: sayFinding, ...room });
      last = { clock, provider, spends: new Map() };
    }
    const { provider, spends } = last;
    const batching = modelAt({ provider, manner, clock });
    const model = live === undefined ? batching : { ...batching, converse: live };
    const reviewer = modelReviewer({ modelOf: () => model, limits });
    const saveSpend: Dependencies["store"]["saveSpend"] = async (spend) => {
      await store.saveSpend(spend);
      spends.set(spend.id, spend.costMicroUsd);
    };
    return {
      ...rest.parts?.(usual),
      store: { ...store, saveSpend },
      reviewers: { ...reviewers, model: canWait ? reviewer : { ...reviewer, batched: undefined } },
    };
  };
  const here = (): NonNullable<typeof last> => {
    if (last === undefined) throw new Error("no harness was built yet");
    return last;
  };
  const roles = [{ name: "general", reviewer: "model", delivery: "batch" }] as const;
  return {
    options: {
      ...rest,
      parts,
      rules: { approval: { pollMs: 10 * minuteMs }, ...rules, reviews: { ...rules.reviews, roles: [...roles] } },
    },
    provider: () => here().provider,
    spent: () => [...here().spends.values()].reduce((sum, cost) => sum + cost, 0),
  };
}

export async function buildBatchHarness(
  options: BatchHarnessOptions,
): Promise<BatchHarness & { readonly harness: Harness }> {
  const made = batchHarness(options);
  const harness = await buildHarness(made.options);
  return { ...made, harness };
}

/** What the pull is said to have cost. */
export async function recordedCost(harness: Harness, pull: PullRef): Promise<number> {
  const { store, instance } = harness.dependencies;
  return (await store.findPull(pullKeyOf(instance, pull)))?.records.spentMicroUsd ?? 0;
}
