import { describe, expect, it } from "vitest";
import { intakeLines, type Turn } from "./intake-lines.ts";
import type { Kept, RivalName } from "./intake-rivals.ts";

function aTurn(rival: RivalName, round: number, taken: number): Turn {
  const report = { taken, failed: 0, ms: 1000, p50Ms: 1, p99Ms: 2 };
  return { rival, round, isWarmUp: round === 0, report, cpuMs: 500, rssMb: 100 };
}

const rivals = [
  { name: "embedded", words: "Drover" },
  { name: "probot", words: "Probot" },
] as const;

/** The second round is four times as slow for both, and the warm-up is slow for one of them. */
const rates = { embedded: [10, 4000, 1000, 4000], probot: [2000, 2000, 500, 2000] } as const;
const turns = (["embedded", "probot"] as const).flatMap((rival) =>
  rates[rival].map((taken, round) => aTurn(rival, round, taken)),
);

function linesWith(rows: number): readonly string[] {
  const kept = new Map<RivalName, Kept>([
    ["embedded", { rows, commits: 901 }],
    ["probot", { rows: null, commits: null }],
  ]);
  return intakeLines({ rivals, turns, kept });
}

describe("what is said of the intake", () => {
  it("compares round by round, without the warm-up", () => {
    const row = linesWith(9010).find((line) => line.startsWith("| Drover"));
    expect(
      row
        ?.split("|")
        .map((cell) => cell.trim())
        .slice(2, 6),
    ).toEqual(["4,000", "1.00", "2.00", "2.00"]);
  });

  it("says whether all is there that was answered, the warm-up included", () => {
    expect(linesWith(9010).join("\n")).toContain("|     all |");
    expect(linesWith(9009).join("\n")).toContain("9009 of 9010");
  });

  it("says which goals were reached, and nothing of rivals that were left out", () => {
    const goals = linesWith(9010).filter((line) => line.startsWith("goal:"));
    expect(goals).toEqual([
      "goal: embedded ÷ Probot ≥ 1.5: 2.00 (reached)",
      "goal: p99 embedded ÷ Probot < 1: 1.00 (missed)",
    ]);
  });
});
