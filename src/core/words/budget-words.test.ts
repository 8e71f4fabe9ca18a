import { describe, expect, it } from "vitest";
import { parseInstant } from "#core/model/instant.ts";
import { budgetRefusalWords, dollars } from "#core/words/budget-words.ts";

const overAt = parseInstant("2026-11-17T00:00:00Z") ?? null;
const amounts = { capMicroUsd: 5_000_000, leftMicroUsd: 120_000, wantedMicroUsd: 400_000 };

describe("the words of a budget", () => {
  it("say which cap it is, what is left, and when to come back", () => {
    const refusal = { kind: "refused", why: "cap", cap: "repositoryDay", ...amounts, overAt } as const;
    expect(budgetRefusalWords(refusal, "comment `@drover review`")).toMatchInlineSnapshot(
      `"The budget of this repository for today is $5.00, of which $0.12 is left, and about $0.40 would be needed. After 2026-11-17T00:00:00Z comment \`@drover review\`; or the operator can raise \`budgets.repositoryDayUsd\`."`,
    );
  });

  it("say that the budget of a pull does not begin anew", () => {
    const refusal = { kind: "refused", why: "cap", cap: "pull", ...amounts, overAt: null } as const;
    expect(budgetRefusalWords(refusal, "comment `@drover review`")).toMatchInlineSnapshot(
      `"The budget of this pull is $5.00, of which $0.12 is left, and about $0.40 would be needed. It does not start again by itself: the operator can raise \`budgets.pullUsd\`; then comment \`@drover review\`."`,
    );
  });

  it("say what to do about a model without a price", () => {
    expect(budgetRefusalWords({ kind: "refused", why: "unpriced" }, "comment")).toMatchInlineSnapshot(
      `"There is a cap on what models may cost, and the price of the model is not known. The operator can name the price (\`prices\`), or allow models without one (\`budgets.allowUnpriced\`)."`,
    );
  });

  it("never show something as nothing", () => {
    expect([0, 1, 99, 9_999, 10_000, 1_234_567].map(dollars)).toEqual([
      "$0.00",
      "$0.0001",
      "$0.0001",
      "$0.0100",
      "$0.01",
      "$1.23",
    ]);
  });
});
