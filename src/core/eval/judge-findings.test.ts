import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EvalCase } from "#core/eval/eval-case.ts";
import { judgeFindings, linesApartMax, pairUp } from "#core/eval/judge-findings.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { aCase, anEvalFinding, anExpected, changedFileDiff } from "#testing/eval-makers.ts";

const linesOfFile = 40;
const diff = changedFileDiff(
  "src/a.ts",
  Array.from({ length: linesOfFile }, (_, index) => `+line ${index + 1}`),
);

function judge(findings: readonly RawFinding[], parts: Partial<EvalCase> = {}) {
  return judgeFindings(diff, aCase(parts), findings);
}

/** A finding on this line, where one on line 20 is expected. */
function at(line: number) {
  return judge([anEvalFinding(line)], { expected: [anExpected(20)] });
}

describe("a finding", () => {
  it("counts as found on the line, and beside it as far as the tolerance goes", () => {
    expect(at(20)).toMatchObject({ hits: [{ lines: { first: 20 } }], wrong: [] });
    expect(at(20 + linesApartMax).hits).not.toEqual([null]);
    expect(at(20 - linesApartMax).hits).not.toEqual([null]);
    expect(at(20 + linesApartMax + 1)).toMatchObject({ hits: [null], wrong: [{ why: "unexpected" }] });
  });

  it("in another file is something else", () => {
    expect(judge([anEvalFinding(3, { path: "src/b.ts" })]).hits).toEqual([null]);
  });

  it("on a removed line fits what is expected on the line beside it, however far apart their numbers are", () => {
    const lines = [...Array.from({ length: 20 }, (_, index) => `-old ${index + 1}`), "+new 1", "line"];
    const found = anEvalFinding(19, { side: "old" });
    const place = { kind: "lines", side: "new", lines: { first: 1, last: 1 }, rows: { first: 20, last: 20 } } as const;
    const { hits } = judgeFindings(
      changedFileDiff("src/a.ts", lines),
      aCase({ expected: [anExpected(1, { place })] }),
      [found],
    );
    expect(hits).toEqual([found]);
  });

  it("on a whole file is only what is expected of the whole file", () => {
    const whole = anEvalFinding(1, { snippet: "" });
    expect(judge([whole], { expected: [anExpected(1)] }).hits).toEqual([null]);
    expect(judge([whole], { expected: [anExpected(1, { place: { kind: "file" } })] }).hits).toEqual([whole]);
  });

  it("has to name one of the rules, or to hold one of the words, where the case asks for it", () => {
    const expected = [anExpected(3, { rules: ["missing-await"] })];
    expect(judge([anEvalFinding(3)], { expected }).hits).toEqual([null]);
    expect(judge([anEvalFinding(3, { rule: "missing-await" })], { expected }).hits).not.toEqual([null]);
    const worded = [anExpected(3, { about: ["LAST", "boundary"] })];
    expect(judge([anEvalFinding(3)], { expected: worded }).hits).not.toEqual([null]);
    expect(judge([anEvalFinding(3, { message: "Too slow." })], { expected: worded }).hits).toEqual([null]);
  });

  it("that says again what another one said is wrong, and known as a repeat", () => {
    const { hits, wrong } = judge([anEvalFinding(3), anEvalFinding(3, { message: "Once more." })]);
    expect(hits).not.toEqual([null]);
    expect(wrong).toMatchObject([{ why: "repeat" }]);
  });

  it("that is accepted is neither found nor wrong", () => {
    const accepted = [anExpected(30)];
    expect(judge([anEvalFinding(30)], { accepted })).toMatchObject({ hits: [null], accepted: [{}], wrong: [] });
  });

  it("that nothing excuses takes the place of one that would be accepted anyway", () => {
    const excused = anEvalFinding(3, { rule: "naming" });
    const other = anEvalFinding(4);
    const accepted = [anExpected(3, { rules: ["naming"] })];
    for (const findings of [
      [excused, other],
      [other, excused],
    ]) {
      expect(judge(findings, { accepted })).toEqual({ hits: [other], accepted: [excused], wrong: [] });
    }
  });

  it("is matched with what it says where several places are near", () => {
    const expected = [
      anExpected(10, { what: "The file stays open." }),
      anExpected(11, { what: "The last one is left out.", code: "line 11" }),
    ];
    const found = anEvalFinding(10, { snippet: "line 11", rule: "" });
    expect(judge([found], { expected }).hits).toEqual([null, found]);
  });
});

const anyLine = fc.integer({ min: 1, max: linesOfFile });
const findings = fc.array(
  fc
    .record({ at: anyLine, rule: fc.constantFrom("a", "b") })
    .map(({ at: lineNumber, rule }) => anEvalFinding(lineNumber, { rule })),
  { maxLength: 12 },
);
const cases = fc.record({
  expected: fc.array(
    anyLine.map((each) => anExpected(each)),
    { maxLength: 6 },
  ),
  accepted: fc.array(
    anyLine.map((each) => anExpected(each)),
    { maxLength: 3 },
  ),
});

describe("judging", () => {
  it("accounts for every finding once, whatever the case is", () => {
    fc.assert(
      fc.property(findings, cases, (found, parts) => {
        const { hits, accepted, wrong } = judge(found, parts);
        const said = [...hits.filter((hit) => hit !== null), ...accepted, ...wrong.map(({ finding }) => finding)];
        expect(hits).toHaveLength(parts.expected.length);
        expect(said).toHaveLength(found.length);
        expect(new Set(said)).toEqual(new Set(found));
      }),
    );
  });

  it("does not depend on the order in which a reviewer speaks", () => {
    fc.assert(
      fc.property(findings, cases, fc.integer(), (found, parts, seed) => {
        const shuffled = found.toSorted(
          (left, right) => Math.sin(left.lines.first + seed) - Math.sin(right.lines.first),
        );
        expect(judge(shuffled, parts)).toEqual(judge(found, parts));
      }),
    );
  });

  it("never finds less when more is said, and never finds more than is expected", () => {
    fc.assert(
      fc.property(findings, findings, cases, (found, more, parts) => {
        const count = (list: readonly RawFinding[]) => judge(list, parts).hits.filter((hit) => hit !== null).length;
        expect(count([...found, ...more])).toBeGreaterThanOrEqual(count(found));
        expect(count(found)).toBeLessThanOrEqual(Math.min(found.length, parts.expected.length));
      }),
    );
  });

  it("finds everything and nothing wrong where the reviewer says exactly what is expected", () => {
    fc.assert(
      fc.property(cases, ({ expected }) => {
        const found = expected.map(({ place }) => anEvalFinding(place.kind === "lines" ? place.lines.first : 1));
        const { hits, wrong } = judge(found, { expected });
        expect({ missed: hits.includes(null), wrong }).toEqual({ missed: false, wrong: [] });
      }),
    );
  });
});

const wishes = fc.array(fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 }), { maxLength: 6 });

/** The size of the largest pairing, by trying every one of them. */
function largest(wanted: readonly (readonly number[])[], taken: ReadonlySet<number> = new Set()): number {
  const [first, ...rest] = wanted;
  if (first === undefined) return 0;
  const options = first.filter((partner) => !taken.has(partner));
  return Math.max(largest(rest, taken), ...options.map((partner) => 1 + largest(rest, new Set([...taken, partner]))));
}

function sizeOf(partners: readonly (number | null)[]): number {
  return partners.filter((partner) => partner !== null).length;
}

describe("pairing up", () => {
  it("gives nobody what it did not want, and nothing to two", () => {
    fc.assert(
      fc.property(wishes, (wanted) => {
        const partners = pairUp(wanted);
        const given = partners.filter((partner) => partner !== null);
        expect(partners).toHaveLength(wanted.length);
        expect(new Set(given).size).toBe(given.length);
        expect(partners.every((partner, index) => partner === null || wanted[index]?.includes(partner))).toBe(true);
      }),
    );
  });

  it("makes as many pairs as there can be", () => {
    fc.assert(
      fc.property(wishes, (wanted) => {
        expect(sizeOf(pairUp(wanted))).toBe(largest(wanted));
      }),
    );
  });

  it("pairs as many of the first ones as if the later ones were not there", () => {
    fc.assert(
      fc.property(wishes, fc.nat({ max: 6 }), (wanted, count) => {
        expect(sizeOf(pairUp(wanted).slice(0, count))).toBe(largest(wanted.slice(0, count)));
      }),
    );
  });

  it("gives the dearest where nobody else needs it", () => {
    expect(pairUp([[1, 0], [0]])).toEqual([1, 0]);
    expect(pairUp([[0, 1], [0]])).toEqual([1, 0]);
  });
});
