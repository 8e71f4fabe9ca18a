import { describe, expect, it } from "vitest";
import { runBudget } from "#app/review/run-budget.ts";
import { encodeText } from "#core/diff/byte-scan.ts";
import { HeadSha } from "#core/model/ids.ts";
import { asConfigured, type OfferTerms } from "#core/review/offer-terms.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";
import { aCompletedReview, aReviewer } from "#testing/review-makers.ts";
import { aModelCall } from "#testing/spend-maker.ts";

const diff = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old();\n+fresh();\n";

function aJob(role: string): ReviewJob {
  return {
    role,
    head: HeadSha.parse("a".repeat(40)),
    baseBranch: "main",
    diff: encodeText(diff),
    readFile: () => Promise.resolve(null),
    excludedPaths: [],
    signal: new AbortController().signal,
  };
}

/** Takes 40 for each of its looks, and says what it was told about the rest. */
function seller(costs: readonly (number | null)[]): Reviewer & { readonly sold: (OfferTerms | undefined)[] } {
  const sold: (OfferTerms | undefined)[] = [];
  const offers: Reviewer["offers"] = async () =>
    costs.map((costMicroUsd, index) => {
      return { terms: { ...asConfigured, callsMax: index + 1 }, delivery: "now", costMicroUsd };
    });
  const look: Reviewer["review"] = async ({ offer, onCall, mayGoOn }) => {
    sold.push(offer);
    onCall?.(aModelCall({ costMicroUsd: 40 }));
    return aCompletedReview({ summary: `the rest: ${await mayGoOn?.(60)}`, costMicroUsd: 40 });
  };
  return { ...aReviewer(look, { offers }), sold };
}

describe("a budget of one run", () => {
  it("takes the first offer that fits, and goes on while the rest does", async () => {
    const reviewer = seller([500, 90]);
    const held = runBudget(100).hold(reviewer);
    expect(await held.review(aJob("one"))).toMatchObject({ summary: "the rest: true" });
    expect(await held.review(aJob("two"))).toMatchObject({ coverage: { unread: [{ path: "a.ts", why: "budget" }] } });
    expect(reviewer.sold).toEqual([{ ...asConfigured, callsMax: 2 }]);
  });

  it("is shared by all roles that look side by side", async () => {
    const reviewer = seller([60]);
    const held = runBudget(100).hold(reviewer);
    const looks = await Promise.all([held.review(aJob("one")), held.review(aJob("two"))]);
    expect(reviewer.sold).toHaveLength(1);
    expect(looks.map((look) => look.kind === "completed" && look.summary)).toEqual([
      "the rest: true",
      "Not read: of `--budget` $0.0001, $0.0001 is left. About $0.0001 would be needed.",
    ]);
  });

  it("is not spent on what has no price", async () => {
    const reviewer = seller([null]);
    const outcome = await runBudget(100).hold(reviewer).review(aJob("one"));
    expect(outcome).toMatchObject({ costMicroUsd: 0, coverage: { filesRead: 0 } });
    expect(reviewer.sold).toEqual([]);
  });

  it("does not restrict a reviewer that costs nothing", async () => {
    const free = aReviewer((job) => seller([]).review(job));
    expect(await runBudget(0).hold(free).review(aJob("rules"))).toMatchObject({ coverage: { filesRead: 1 } });
  });
});
