import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import { CommentId, FindingId } from "#core/model/ids.ts";
import { alignStepsMax } from "#core/review/align-findings.ts";
import { readCodes } from "#core/review/finding-code.ts";
import { type FindingsToMatch, type MatchedFindings, matchFindings } from "#core/review/match-findings.ts";
import { aFinding, sha } from "#testing/makers.ts";

const fixed: Finding["state"] = { kind: "resolved", resolution: { how: "fixed", head: sha(1) } };
const conceded: Finding["state"] = { kind: "resolved", resolution: { how: "conceded", reply: CommentId.parse("9") } };

function known(id: string, line: number, over: Partial<Finding> = {}): Finding {
  return aFinding(id, { lines: { first: line, last: line }, ...over });
}

function found(line: number, over: Partial<RawFinding> = {}): RawFinding {
  return aFinding("-", { lines: { first: line, last: line }, ...over });
}

function match(over: Partial<FindingsToMatch>): MatchedFindings {
  const { known: old = [], found: now = [] } = over;
  const codeOf = readCodes([...old, ...now]);
  return matchFindings({
    known: old,
    found: now,
    renames: new Map(),
    gone: new Set(),
    blockingOf: () => 7,
    codeOf,
    isJudged: () => false,
    isReadBefore: () => false,
    ...over,
  });
}

function wordy(index: number): string {
  return `alpha beta gamma delta epsilon zeta w${index}`;
}

/** `k1=12` says that k1 was found again on line 12. */
function pairs(matched: MatchedFindings): readonly string[] {
  return matched.matches.map(({ known: one, found: other }) => `${one.id}=${other.lines.first}`);
}

describe("a finding is known", () => {
  it("by the same rule on the same code, wherever it moved", () => {
    const matched = match({ known: [known("k", 3)], found: [found(80, { snippet: '\tconst key  = "hunter2";' })] });
    expect(matched).toMatchObject({ matches: [{ by: "identity" }], missing: [], fresh: [] });
  });

  it("through a rename of its file", () => {
    const renames = new Map([["src/reader.ts", "src/parser.ts"]]);
    const matched = match({ known: [known("k", 3)], found: [found(3, { path: "src/reader.ts" })], renames });
    expect(matched.matches).toMatchObject([{ by: "identity" }]);
  });

  it("when its code was edited a little", () => {
    const matched = match({ known: [known("k", 3)], found: [found(3, { snippet: 'export const key = "hunter2";' })] });
    expect(matched.matches).toMatchObject([{ by: "likeness" }]);
  });

  it("when its code was edited a little and its file renamed", () => {
    const other = found(3, { snippet: 'export const key = "hunter2";', path: "src/reader.ts" });
    const renames = new Map([["src/reader.ts", "src/parser.ts"]]);
    expect(match({ known: [known("k", 3)], found: [other], renames }).matches).toMatchObject([{ by: "likeness" }]);
  });
});

describe("of several like findings", () => {
  const [near, far] = [known("near", 3), known("far", 90, { snippet: 'export const key = "hunter2", x;' })];

  it("the most alike is known, not the nearest", () => {
    const other = found(3, { snippet: 'export const key = "hunter2";' });
    expect(pairs(match({ known: [near], found: [other] }))).toEqual(["near=3"]);
    expect(pairs(match({ known: [near, far], found: [other] }))).toEqual(["far=3"]);
  });

  it("one is known once", () => {
    const twins = [near, known("twin", 4)];
    const matched = match({ known: twins, found: [found(3, { snippet: 'export const key = "hunter2";' })] });
    expect(pairs(matched)).toEqual(["near=3"]);
    expect(matched.missing.map(({ id }) => id)).toEqual(["twin"]);
  });
});

describe("a finding is not known", () => {
  it.each<[string, Partial<RawFinding>]>([
    ["in another file", { path: "src/other.ts" }],
    ["on the other side", { side: "old" }],
    ["on other code", { snippet: "console.log(1)" }],
  ])("%s", (_case, over) => expect(match({ known: [known("k", 3)], found: [found(3, over)] }).matches).toEqual([]));

  it("by being like one that was conceded or fixed: those speak for their own code only", () => {
    const other = found(3, { snippet: 'export const key = "hunter2";' });
    expect(match({ known: [known("k", 3, { state: conceded })], found: [other] }).matches).toEqual([]);
    expect(match({ known: [known("k", 3, { state: fixed })], found: [other] }).matches).toEqual([]);
  });

  it("by being like one that did not block, when it would block", () => {
    const other = found(3, { snippet: 'export const key = "hunter2";', score: 7 });
    expect(match({ known: [known("k", 3, { score: 6 })], found: [other] }).fresh).toEqual([other]);
  });
});

describe("of several equal places", () => {
  it("the one that is left keeps its own finding when the first is fixed", () => {
    expect(pairs(match({ known: [known("k1", 10), known("k2", 50)], found: [found(49)] }))).toEqual(["k2=49"]);
  });

  it("all keep their order when everything moved", () => {
    const matched = match({ known: [known("k1", 10), known("k2", 20)], found: [found(19), found(29)] });
    expect(pairs(matched)).toEqual(["k1=19", "k2=29"]);
  });

  it("the one that moved least is known when another was added", () => {
    const matched = match({ known: [known("k1", 20)], found: [found(3), found(21), found(60)] });
    expect(pairs(matched)).toEqual(["k1=21"]);
    expect(matched.fresh.map(({ lines }) => lines.first)).toEqual([3, 60]);
  });

  it("what stands keeps its place before what was conceded, so that no blocker slips into a precedent", () => {
    const both = [known("conceded", 10, { state: conceded }), known("open", 50)];
    expect(pairs(match({ known: both, found: [found(10)] }))).toEqual(["open=10"]);
  });

  it("what stands keeps its place also where some of what was conceded does", () => {
    const all = [10, 20].map((line) => known(`conceded${line}`, line, { state: conceded }));
    const matched = match({ known: [...all, known("open", 50)], found: [found(10), found(20)] });
    expect(pairs(matched)).toEqual(["conceded10=10", "open=20"]);
  });

  it("what was conceded keeps its place when the code of the other is certainly gone", () => {
    const both = [known("conceded", 10, { state: conceded }), known("open", 50)];
    const gone = new Set([FindingId.parse("open")]);
    expect(pairs(match({ known: both, found: [found(10)], gone }))).toEqual(["conceded=10"]);
  });

  it("a blocker whose file takes the name of another does not slip into a precedent there", () => {
    const both = [known("conceded", 10, { path: "b", state: conceded }), known("open", 50, { path: "a" })];
    const renames = new Map([["b", "a"]]);
    expect(pairs(match({ known: both, found: [found(10, { path: "b" })], renames }))).toEqual(["open=10"]);
  });

  it("files that change names keep their findings when these were moved before", () => {
    const both = [known("conceded", 10, { path: "b", state: conceded }), known("open", 50, { path: "a" })];
    const renames = new Map([
      ["b", "a"],
      ["a", "b"],
    ]);
    const matched = match({ known: both, found: [found(10, { path: "b" }), found(50, { path: "a" })], renames });
    expect(pairs(matched).toSorted()).toEqual(["conceded=10", "open=50"]);
  });

  it("of those who report the same lines, the one who did so before is known", () => {
    const reports = [found(10, { role: "model", score: 9 }), found(10, { role: "rules" })];
    const old = [known("k", 10, { role: "rules" })];
    const matched = match({ known: old, found: reports, isJudged: ({ role }) => role === "model" });
    expect(matched.matches.map((one) => one.found.role)).toEqual(["rules"]);
  });

  it("what a model said about its lines is known there under another name, before an equal place takes it", () => {
    const both = [known("open", 10), known("conceded", 50, { state: conceded })];
    const reports = [found(10, { rule: "another-name" }), found(50)];
    const matched = match({ known: both, found: reports, isJudged: () => true });
    expect(pairs(matched)).toEqual(["open=10", "conceded=50"]);
  });

  it("what was fixed gives way to everything else", () => {
    const both = [known("fixed", 10, { state: fixed }), known("conceded", 50, { state: conceded })];
    expect(pairs(match({ known: both, found: [found(10)] }))).toEqual(["conceded=10"]);
  });

  it("too many to compare are paired from the top, and the strongest claims still keep their places", () => {
    const many = Math.ceil(Math.sqrt(alignStepsMax)) + 1;
    const lines = Array.from({ length: many }, (_, index) => index + 1);
    const settled = [1, 2].map((line) => known(`conceded${line}`, line, { state: conceded }));
    const old = [...lines.map((line) => known(`k${line}`, line + 2)), ...settled];
    const matched = match({ known: old, found: [...lines, many + 1].map((line) => found(line + 7)) });
    expect(matched.missing.map(({ id }) => id)).toEqual(["conceded2"]);
    expect(pairs(matched).slice(0, 2)).toEqual(["conceded1=8", "k1=9"]);
    expect(matched.fresh).toEqual([]);
  });
});

describe("many findings", () => {
  it("in one file are compared with their neighbourhood", () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    const old = many.map((index) => known(`k${index}`, 10 * index + 1, { snippet: wordy(index) }));
    const now = many.map((index) => found(10 * index + 4, { snippet: `${wordy(index)} edited` }));
    const matched = match({ known: old, found: now });
    expect(matched.matches).toHaveLength(500);
    expect(matched.matches.every(({ known: one, found: other }) => other.snippet.startsWith(one.snippet))).toBe(true);
  });

  it("on one line of a minified file are compared in time", () => {
    const line = Array.from({ length: 20_000 }, (_, index) => `a${index}=f()`).join(";");
    expect(line.length).toBeGreaterThan(200_000);
    const many = Array.from({ length: 200 }, (_, index) => index);
    const old = many.map((index) => known(`k${index}`, 1, { snippet: `${line};old${index}` }));
    const now = many.map((index) => found(1, { snippet: `${line};new${index}` }));
    expect(match({ known: old, found: now }).matches).toHaveLength(200);
  });
});

const anyPlace = fc.record({
  path: fc.constantFrom("a", "b", "c"),
  rule: fc.constantFrom("r", "s"),
  side: fc.constantFrom("old" as const, "new" as const, "new" as const),
  snippet: fc.constantFrom("", "run(now)", "x", "  run(now)", "let run = now\nrun(now)", "run(now)\nlet run = now"),
  message: fc.constantFrom("do not run", "do not ever run", "why"),
  score: fc.integer({ min: 1, max: 10 }),
  line: fc.integer({ min: 1, max: 30 }),
});
const anyKnown = fc
  .array(fc.tuple(anyPlace, fc.constantFrom<Finding["state"]>({ kind: "open" }, fixed, conceded)), { maxLength: 12 })
  .map((all) => all.map(([{ line, ...over }, state], index) => known(`k${index}`, line, { ...over, state })));
const anyFound = fc
  .uniqueArray(anyPlace, { maxLength: 12, selector: ({ line, path, rule, side }) => [line, path, rule, side].join() })
  .map((all) => all.map(({ line, ...over }) => found(line, over)));
const anyRenames = fc
  .array(fc.tuple(fc.constantFrom("b", "c"), fc.constantFrom("a", "b")), { maxLength: 2 })
  .map((all) => new Map(all));

describe("any findings", () => {
  it("have at most one partner each, and none is lost", () => {
    fc.assert(
      fc.property(anyKnown, anyFound, anyRenames, (old, now, renames) => {
        const { matches, missing, fresh } = match({ known: old, found: now, renames });
        const knownOnes = [...matches.map((one) => one.known), ...missing];
        const foundOnes = [...matches.map((one) => one.found), ...fresh];
        expect(new Set(knownOnes)).toEqual(new Set(old));
        expect(knownOnes).toHaveLength(old.length);
        expect(new Set(foundOnes)).toEqual(new Set(now));
        expect(foundOnes).toHaveLength(now.length);
      }),
    );
  });

  it("are matched the same in any order", () => {
    fc.assert(
      fc.property(anyKnown.chain(withShuffled), anyFound.chain(withShuffled), anyRenames, (old, now, renames) => {
        const mixed = match({ known: old.shuffled, found: now.shuffled, renames });
        expect(mixed).toEqual(match({ known: old.given, found: now.given, renames }));
      }),
    );
  });
});

function withShuffled<Value>(given: readonly Value[]): fc.Arbitrary<{
  readonly given: readonly Value[];
  readonly shuffled: readonly Value[];
}> {
  return fc.shuffledSubarray([...given], { minLength: given.length }).map((shuffled) => ({ given, shuffled }));
}
