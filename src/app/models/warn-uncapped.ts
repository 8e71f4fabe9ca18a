import type { ModelsConfig } from "#config/model-config.ts";
import { type Budgets, capsOf, isCapped } from "#core/budget/budgets.ts";
import type { Log } from "#ports/log.ts";

/** A line of configuration that sets caps. */
export const usualBudget = "budgets: { pullUsd: 3, dayUsd: 50 }";
/** The same if the price is unknown before the answer: without the last word no model would be asked any more. */
export const unpricedBudget = "budgets: { pullUsd: 3, dayUsd: 50, allowUnpriced: true }";

/** The operator should know that the cost has no limit before the bill shows it. */
export function warnUncapped(
  log: Log,
  { models, budgets }: { readonly models: ModelsConfig; readonly budgets: Budgets | undefined },
): void {
  const hasCap = budgets !== undefined && isCapped(capsOf(budgets));
  if (hasCap || Object.keys(models).length === 0) return;
  const entries = Object.values(models).flatMap(({ chain }) => chain);
  const isUnpriced = entries.some(({ provider }) => provider === "openrouter" || provider === "compatible");
  const cap = isUnpriced ? unpricedBudget : usualBudget;
  log.warn({ cap }, "models are configured without a cap on their cost");
}
