import { describe, expect, it } from "vitest";
import { evalJson, readEarlier } from "#core/eval/eval-json.ts";
import { type EvalReport, summariseRun } from "#core/eval/eval-report.ts";
import { evalText } from "#core/eval/eval-text.ts";
import {
  aCase,
  aCasePass,
  anEvalFinding,
  anEvalRun,
  anExpected,
  aResult,
  nothingSpent,
  wrongOne,
} from "#testing/eval-makers.ts";

const page = { columns: 100, hasColours: false };
const spent = {
  ...nothingSpent,
  costMicroUsd: 12_300,
  tokensIn: 9_000,
  tokensCached: 6_000,
  tokensOut: 400,
  ms: 2_100,
};

const expected = [
  anExpected(3, { scoreMin: 8, tags: ["logic"] }),
  anExpected(9, { what: "Nobody waits for it.", tags: ["logic"] }),
];
const found = aResult(aCase({ name: "logic/pages", tags: ["logic"], expected }), [
  aCasePass(
    { hits: [anEvalFinding(3), null], wrong: [wrongOne(anEvalFinding(30, { message: "Odd\u001b[31m name." }))] },
    { spent },
  ),
]);
const clean = aResult(aCase({ name: "clean/rename", tags: ["clean"], expected: [] }), [
  aCasePass({}, { spent: { ...spent, isKept: true } }),
]);
const failed = aResult(aCase({ name: "logic/race" }), [
  aCasePass({}, { outcome: { kind: "failed", why: "No answer." } }),
]);
const run = anEvalRun([clean, found, failed], { configuration: "b.yml" });
const other = anEvalRun(
  [clean, aResult(found.case, [aCasePass({ hits: [anEvalFinding(3), anEvalFinding(9)] })]), failed],
  {
    configuration: "a.yml",
  },
);
const report: EvalReport = { set: "eval", skipped: ["x/case.yml: is missing."], run, against: summariseRun(other) };

describe("the report for people", () => {
  it("shows each case, what went wrong in it, and what it all comes to", () => {
    expect(evalText(report, page)).toMatchInlineSnapshot(`
      "case          expected  found  wrong     cost   time
      clean/rename         0      0      0  $0.0123  2.1 s
      logic/pages          2      1      1  $0.0123  2.1 s
          missed  src/a.ts line 9: Nobody waits for it.
          wrong   src/a.ts line 30, general/off-by-one, score 7: Odd<U+001B>[31m name.
      logic/race           –      –      –        –   0 ms

      tag    expected  found  wrong  recall  precision
      clean         0      0      0       –          –
      logic         2      1      1    50 %       50 %

      configuration  expected  found  wrong  recall  precision     cost
      b.yml                 2      1      1    50 %       50 %  $0.0246
      a.yml                 2      2      0   100 %      100 %  $0.0123

      Left out: x/case.yml: is missing.
      logic/race: the role general failed: No answer.
      Found 1 of 2 (recall 50 %). 1 wrong finding (0.50 a case, 1 blocking): precision 50 %, F1 0.50. Of 1
      finding that must block, 1 found and 1 found as blocking. 1 found with a lower score than the case
      asks for.
      Against a.yml: better in 0, worse in 1, the same in 1 of 2 cases.
      Worse: logic/pages.
      Only 1 case differs: too few to tell skill from luck (at least 6 are needed, all on one side).
      Not compared, it was not judged: logic/race.
      1 answer of an earlier run used again.
      3 cases of eval with b.yml: 4.2 s, $0.0246, 18000 tokens in (12000 from the cache), 800 out.
      "
    `);
  });

  it("sends nothing to the terminal that a finding holds, and colours only where there are some", () => {
    expect(evalText(report, page)).not.toContain("\u001b");
    const coloured = evalText(report, { ...page, hasColours: true });
    expect(coloured).toContain("\u001b[32mclean/rename\u001b[0m");
    expect(coloured).not.toContain("\u001b[31m name");
  });

  it("says what is unknown instead of a number", () => {
    const nothing = anEvalRun([aResult(aCase({ expected: [] }), [aCasePass({})])]);
    const text = evalText({ set: "eval", skipped: [], run: nothing, against: null }, { ...page, columns: 200 });
    expect(text).toContain("Nothing was to be found, so there is no recall.");
    expect(text).toContain("Nothing was said that could be right or wrong, so there is no precision.");
    expect(text).not.toContain("NaN");
  });

  it("says that it is a part of what was asked for", () => {
    const wide = { ...page, columns: 400 };
    const shortage = { lookMicroUsd: 12_000, by: "prices", leftMicroUsd: 5_000 } as const;
    const ending = { kind: "stopped", why: "budget", looksLeft: 2, lostMicroUsd: 0, shortage } as const;
    expect(evalText({ ...report, run: { ...run, ending } }, wide)).toContain(
      "Stopped before the budget was used up: 2 looks were not made. The next look costs about $0.0120 by the prices of its model, all 2 need about $0.0240; $0.0050 of the budget is left. The figures are of what was done.",
    );
    const last = { ...ending, looksLeft: 1, shortage: { ...shortage, by: "earlier_looks" } } as const;
    expect(evalText({ ...report, run: { ...run, ending: last } }, wide)).toContain(
      "The next look costs about $0.0120 by the dearest look so far; $0.0050 of the budget is left.",
    );
    const asked = { ...run, ending: { kind: "stopped", why: "asked", looksLeft: 1, lostMicroUsd: 0 } } as const;
    expect(evalText({ ...report, run: asked }, page)).toContain("Stopped: 1 look was not made.");
  });

  it("says how alike the attempts were", () => {
    const twice = anEvalRun(
      [aResult(aCase(), [aCasePass({ hits: [anEvalFinding(3)] }), aCasePass({ hits: [null] }, { attempt: 2 })])],
      {
        attempts: 2,
      },
    );
    const text = evalText({ ...report, run: twice, against: null }, page);
    expect(text).toContain(
      "Over 2 attempts: 0 found each time, 0 never, 1 only sometimes; 0 wrong findings an attempt.",
    );
    expect(text).toContain("Not the same each time: pages.");
  });
});

describe("the report for machines", () => {
  it("can be read again by a later run, to be compared with", () => {
    expect(readEarlier(evalJson(report, "1.2.3"))).toEqual({ kind: "report", summary: summariseRun(run) });
  });

  it("holds figures, cases, looks and the comparison", () => {
    expect(JSON.parse(evalJson(report, "1.2.3"))).toMatchObject({
      version: 1,
      kind: "drover-eval",
      configuration: "b.yml",
      isWhole: true,
      counts: { expected: 2, found: 1, wrong: 1 },
      rates: { recall: 0.5, precision: 0.5 },
      tags: [{ tag: "clean" }, { tag: "logic", counts: { expected: 2 } }],
      spent: { costMicroUsd: 24_600 },
      cases: [
        { name: "clean/rename", mistakes: 0, looks: [{ state: "judged", isKept: true }] },
        { name: "logic/pages", mistakes: 2, looks: [{ hits: [{ lines: { first: 3 } }, null], wrong: [{ score: 7 }] }] },
        { name: "logic/race", mistakes: null, looks: [{ state: "failed", words: "No answer." }] },
      ],
      against: { configuration: "a.yml", counts: { found: 2 } },
      comparison: { worse: [{ name: "logic/pages", mistakes: 2, otherMistakes: 0 }], better: [], chance: 1 },
    });
  });

  it.each([
    ["a configuration", "rules: {}", "other"],
    ["other JSON", '{"kind":"other"}', "other"],
    ["a report that nobody knows", '{"kind":"drover-eval","version":2}', "unreadable"],
  ])("is told from %s", (_name, text, kind) => {
    expect(readEarlier(text).kind).toBe(kind);
  });
});
