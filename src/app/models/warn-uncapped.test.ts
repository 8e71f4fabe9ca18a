import { describe, expect, it } from "vitest";
import { readRunConfig } from "#app/config/run-config.ts";
import { unpricedBudget, usualBudget, warnUncapped } from "#app/models/warn-uncapped.ts";
import type { Log } from "#ports/log.ts";

const models = "models: { main: { chain: [{ provider: anthropic, model: claude-sonnet-4-5 }] } }\n";

/** What is said where the file is in force. */
function said(file: string): readonly string[] {
  const lines: string[] = [];
  const log: Log = {
    info: () => undefined,
    warn: (facts, message) => lines.push(`${message}: ${JSON.stringify(facts)}`),
    error: () => undefined,
  };
  const read = readRunConfig(file);
  if (read.kind === "wrong") throw new Error(read.problems.join("; "));
  warnUncapped(log, read.config);
  return lines;
}

describe("a configuration with models and without a budget", () => {
  it("is told of, with the line that sets one", () => {
    expect(said(models)).toEqual([expect.stringContaining(usualBudget)]);
    expect(said(`${models}budgets: { allowUnpriced: true }\n`)).toHaveLength(1);
  });

  it("is told of a line with which its models are still asked", () => {
    expect(said(models.replace("anthropic", "openrouter"))).toEqual([expect.stringContaining(unpricedBudget)]);
    expect(said(`${models.replace("anthropic", "openrouter")}${unpricedBudget}\n`)).toEqual([]);
  });

  it("is not told of where any cap is set, where no model is, or where the line was taken over", () => {
    for (const cap of ["pullUsd: 1", "repositoryDayUsd: 1", "dayUsd: 0"]) {
      expect(said(`${models}budgets: { ${cap} }\n`)).toEqual([]);
    }
    expect(said("")).toEqual([]);
    expect(said(`${models}${usualBudget}\n`)).toEqual([]);
  });
});
