import { describe, expect, it } from "vitest";
import { requireAgents } from "#app/require-agents.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { someRules } from "#testing/makers.ts";

describe("a switch that nobody can serve", () => {
  it.each([
    ["a role for an agent", { reviews: { roles: [{ name: "deep", reviewer: "agent" as const }] } }, 'the role "deep"'],
    ["red checks", { fix: { onRedChecks: true } }, "`rules.fix.onRedChecks` is on"],
    ["conflicts", { fix: { onConflict: true } }, "`rules.fix.onConflict` is on"],
  ])("is refused with what to do: %s", (_, rules, words) => {
    expect(() => requireAgents(someRules(rules), suggestionsAgent())).toThrow(words);
    expect(() => requireAgents(someRules(rules), suggestionsAgent())).toThrow(/set i.* to `/);
  });

  it("is named beside the others", () => {
    const rules = someRules({ fix: { onRedChecks: true, onConflict: true } });
    expect(() => requireAgents(rules, suggestionsAgent())).toThrow(/onRedChecks.*; .*onConflict/);
  });

  it("is not reported if an agent can serve it, or if only remarks are worked on", () => {
    const rules = someRules({ fix: { onFeedback: true, onRedChecks: true, onConflict: true } });
    const { serves: _, ...able } = suggestionsAgent();
    expect(() => requireAgents(rules, able)).not.toThrow();
    expect(() => requireAgents(someRules({ fix: { onFeedback: true } }), suggestionsAgent())).not.toThrow();
  });
});
