import type { ModelsConfig } from "#config/model-config.ts";
import { type Budgets, capsOf, isCapped } from "#core/budget/budgets.ts";
import type { Log } from "#ports/log.ts";

export const usualBudget = "budgets: { pullUsd: 3, dayUsd: 50 }";
/** With an unknown price and without `allowUnpriced`, no model would be asked any more. */
export const unpricedBudget = "budgets: { pullUsd: 3, dayUsd: 50, allowUnpriced: true }";

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
