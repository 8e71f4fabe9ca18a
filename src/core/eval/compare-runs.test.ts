import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CaseStanding, compareRuns } from "#core/eval/compare-runs.ts";
import { chanceWords } from "#core/eval/eval-words.ts";

function standing(name: string, mistakes: number | null, digest = "same"): CaseStanding {
  return { name, digest, mistakes };
}

function names(cases: readonly { readonly name: string }[]): readonly string[] {
  return cases.map(({ name }) => name);
}

describe("two runs", () => {
  it("are compared case by case, by their mistakes", () => {
    const ours = [standing("a", 0), standing("b", 2), standing("c", 1)];
    const others = [standing("a", 1), standing("b", 1), standing("c", 1)];
    const { better, worse, same, notCompared } = compareRuns(ours, others);
    expect([better, worse, same].map(names)).toEqual([["a"], ["b"], ["c"]]);
    expect(notCompared).toEqual([]);
  });

  it("are not compared where a case is missing, has changed, or was not judged", () => {
    const ours = [standing("gone", 0), standing("changed", 0), standing("failed", null)];
    const others = [standing("changed", 0, "other"), standing("failed", 0), standing("new", 0)];
    expect(compareRuns(ours, others)).toMatchObject({
      better: [],
      worse: [],
      same: [],
      notCompared: [
        { name: "gone", why: "missing" },
        { name: "changed", why: "changed" },
        { name: "failed", why: "not_judged" },
        { name: "new", why: "missing" },
      ],
      chance: null,
    });
  });

  it("count as equal if averages differ by no more than their last digit", () => {
    const { same } = compareRuns([standing("a", 0.1 + 0.2)], [standing("a", 0.3)]);
    expect(names(same)).toEqual(["a"]);
  });

  it("change places when they are compared the other way round", () => {
    const runs = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })), { maxLength: 20 });
    fc.assert(
      fc.property(runs, (pairs) => {
        const ours = pairs.map(([mistakes], index) => standing(`${index}`, mistakes));
        const others = pairs.map(([, mistakes], index) => standing(`${index}`, mistakes));
        const [there, back] = [compareRuns(ours, others), compareRuns(others, ours)];
        expect(names(there.better)).toEqual(names(back.worse));
        expect(names(there.same)).toEqual(names(back.same));
        expect(there.chance).toBe(back.chance);
        expect(there.better.length + there.worse.length + there.same.length).toBe(pairs.length);
      }),
    );
  });
});

/** So many cases in which the first is better, and so many in which it is worse. */
function wordsFor(better: number, worse: number): string {
  const ours = [...Array<number>(better).fill(0), ...Array<number>(worse).fill(1)];
  return chanceWords(
    compareRuns(
      ours.map((mistakes, index) => standing(`${index}`, mistakes)),
      ours.map((mistakes, index) => standing(`${index}`, 1 - mistakes)),
    ),
  );
}

describe("what is said about chance", () => {
  it("needs no knowledge of statistics", () => {
    expect([
      wordsFor(0, 0),
      wordsFor(5, 0),
      wordsFor(9, 1),
      wordsFor(6, 4),
      wordsFor(5, 5),
      wordsFor(40, 2),
    ]).toMatchInlineSnapshot(`
      [
        "No case tells them apart.",
        "Only 5 cases differ: too few to tell skill from luck (at least 6 are needed, all on one side).",
        "Two equally good configurations would differ at least this unevenly in about 1 of 47 comparisons, so the difference is probably real.",
        "Two equally good configurations would differ at least this unevenly in about 8 of 10 comparisons, so this set does not tell them apart.",
        "Two equally good configurations would differ at least this unevenly nearly always, so this set does not tell them apart.",
        "Two equally good configurations would differ at least this unevenly in fewer than 1 of 1000 comparisons, so the difference is probably real.",
      ]
    `);
  });
});
