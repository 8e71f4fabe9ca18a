import type { CapName } from "#core/budget/budgets.ts";
import type { BudgetRefusal } from "#core/budget/choose-offer.ts";
import { formatInstant } from "#core/model/instant.ts";
import { codeSpan } from "#core/words/plain-text.ts";

/** `again` is what people say or do to have it tried again. */
export function budgetRefusalWords(refusal: BudgetRefusal, again: string): string {
  if (refusal.why === "unpriced") {
    return (
      "There is a cap on what models may cost, and the price of the model is not known. " +
      `The operator can name the price (${codeSpan("prices")}), or allow models without one (${codeSpan("budgets.allowUnpriced")}).`
    );
  }
  const { cap, capMicroUsd, leftMicroUsd, wantedMicroUsd, overAt } = refusal;
  const wanted = wantedMicroUsd === null ? "" : `, and about ${dollars(wantedMicroUsd)} would be needed`;
  const raise = `the operator can raise ${codeSpan(`budgets.${capKeys[cap]}`)}`;
  const next =
    overAt === null
      ? `It does not start again by itself: ${raise}; then ${again}.`
      : `After ${formatInstant(overAt)} ${again}; or ${raise}.`;
  return `The budget ${capWords[cap]} is ${dollars(capMicroUsd)}, of which ${dollars(leftMicroUsd)} is left${wanted}. ${next}`;
}

export function runRefusalWords(refusal: BudgetRefusal): string {
  if (refusal.why === "unpriced") {
    return `Not read: there is a cap (${codeSpan("--budget")}), and the price of the model is not known. Name it under ${codeSpan("prices")}, or leave the cap out.`;
  }
  const { capMicroUsd, leftMicroUsd, wantedMicroUsd } = refusal;
  const wanted = wantedMicroUsd === null ? "" : ` About ${dollars(wantedMicroUsd)} would be needed.`;
  return `Not read: of ${codeSpan("--budget")} ${dollars(capMicroUsd)}, ${dollars(leftMicroUsd)} is left.${wanted}`;
}

export function unpricedRunWords(role: string): string {
  return `The price of the model for role ${role} is unknown, so --budget cannot be enforced. Set its price under "prices" in the configuration (--config FILE), or leave --budget out.`;
}

/** More digits where there would be nothing but zeros. Something is never shown as nothing. */
export function dollars(microUsd: number): string {
  if (microUsd === 0 || microUsd >= centMicroUsd) return `$${(microUsd / 1_000_000).toFixed(2)}`;
  return `$${(Math.max(100, microUsd) / 1_000_000).toFixed(4)}`;
}

const centMicroUsd = 10_000;

const capWords: Readonly<Record<CapName, string>> = {
  pull: "of this pull",
  repositoryDay: "of this repository for today",
  day: "of this installation for today",
};

const capKeys: Readonly<Record<CapName, string>> = {
  pull: "pullUsd",
  repositoryDay: "repositoryDayUsd",
  day: "dayUsd",
};
