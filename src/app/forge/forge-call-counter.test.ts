import { describe, expect, it } from "vitest";
import { createForgeCallCounter, forgeMetrics } from "#app/forge/forge-call-counter.ts";
import { instant } from "#core/model/instant.ts";
import { metricsText } from "#server/metric.ts";

describe("the bill of a forge", () => {
  it("adds up calls and points by what was asked", () => {
    const bill = createForgeCallCounter();
    bill.note({ api: "graphql", call: "fetch pull", points: 1, isNotModified: false });
    bill.note({ api: "graphql", call: "fetch pull", points: 2, isNotModified: false });
    bill.note({ api: "rest", call: "fetch permission", points: 0, isNotModified: true });
    expect(bill.list()).toEqual([
      { api: "graphql", call: "fetch pull", calls: 2, points: 3 },
      { api: "rest", call: "fetch permission", calls: 1, points: 0 },
    ]);
  });

  it("is shown with the name of the forge and with what is left", () => {
    const bill = createForgeCallCounter();
    bill.note({ api: "rest", call: "create comment", points: 1, isNotModified: false });
    const budget = { limit: 5000, left: 4321, resetAt: instant(0) };
    const text = metricsText(forgeMetrics([{ name: "github.com", bill, budget }]));
    expect(text).toContain('drover_forge_points_total{forge="github.com",api="rest",call="create comment"} 1\n');
    expect(text).toContain('drover_forge_budget_left{forge="github.com"} 4321\n');
  });

  it("says nothing of a forge that has not answered yet", () => {
    const text = metricsText(forgeMetrics([{ name: "github.com", bill: createForgeCallCounter(), budget: null }]));
    expect(text).not.toContain("github.com");
  });
});
