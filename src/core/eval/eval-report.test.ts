import { describe, expect, it } from "vitest";
import { type EvalReport, shortfalls, summariseRun } from "#core/eval/eval-report.ts";
import type { EvalRun } from "#core/eval/eval-run.ts";
import { aCase, aCasePass, anEvalFinding, anEvalRun, anExpected, aResult, wrongOne } from "#testing/eval-makers.ts";

const any = { recallMin: null, precisionMin: null };

function reportOf(run: EvalRun, against: EvalReport["against"] = null): EvalReport {
  return { set: "set", skipped: [], run, against };
}

const half = anEvalRun([
  aResult(aCase({ expected: [anExpected(1), anExpected(9)] }), [
    aCasePass({ hits: [anEvalFinding(1), null], wrong: [wrongOne(anEvalFinding(30))] }),
  ]),
]);
const clean = anEvalRun([aResult(aCase({ expected: [] }), [aCasePass({})])]);

describe("an evaluation passes", () => {
  it("without bounds, however bad the reviewer is", () => {
    expect(shortfalls(reportOf(half), any)).toEqual([]);
  });

  it("at its bounds and not below", () => {
    expect(shortfalls(reportOf(half), { recallMin: 0.5, precisionMin: 0.5 })).toEqual([]);
    expect(shortfalls(reportOf(half), { recallMin: 0.51, precisionMin: 0.51 })).toEqual([
      "recall is below 0.51",
      "precision is below 0.51",
    ]);
  });

  it("with any precision where nothing was said, and with no recall where nothing was expected", () => {
    expect(shortfalls(reportOf(clean), { recallMin: null, precisionMin: 1 })).toEqual([]);
    expect(shortfalls(reportOf(clean), { recallMin: 0.1, precisionMin: null })).toEqual(["recall is below 0.1"]);
  });

  it("never where something was not run", () => {
    const stopped = { ...clean, ending: { kind: "stopped", why: "asked", looksLeft: 1, lostMicroUsd: 0 } } as const;
    const failed = anEvalRun([aResult(aCase(), [aCasePass({}, { outcome: { kind: "failed", why: "No answer." } })])]);
    expect(shortfalls(reportOf(stopped), any)).toEqual(["not everything was run"]);
    expect(shortfalls(reportOf(failed), any)).toEqual(["one look failed"]);
    expect(shortfalls(reportOf(clean, summariseRun(stopped)), any)).toEqual([
      "what it is compared with was not run whole",
    ]);
  });
});
