import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "#core/model/finding.ts";
import { alignFindings } from "#core/review/align-findings.ts";
import { linesApart } from "#core/review/finding-order.ts";
import { aFinding } from "#testing/makers.ts";

const anyLines = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 6 })
  .map((lines) => lines.toSorted((left, right) => left - right));

function places(lines: readonly number[]): readonly Finding[] {
  return lines.map((line) => aFinding(`f${line}`, { lines: { first: line, last: line } }));
}

/** The least movement among all ways to choose as many from each list, in order: tried one by one. */
function leastMovement(left: readonly Finding[], right: readonly Finding[]): number {
  const [one, other] = [left[0], right[0]];
  if (one === undefined || other === undefined) return 0;
  const pair = linesApart(one, other) + leastMovement(left.slice(1), right.slice(1));
  if (left.length === right.length) return pair;
  const skipped =
    left.length > right.length ? leastMovement(left.slice(1), right) : leastMovement(left, right.slice(1));
  return Math.min(pair, skipped);
}

describe("equal findings", () => {
  it("are aligned in order, until one list is used up, with the least movement", () => {
    fc.assert(
      fc.property(anyLines, anyLines, (left, right) => {
        const [known, found] = [places(left), places(right)];
        const pairs = alignFindings({ known, found, mayMiss: () => true });
        expect(pairs).toHaveLength(Math.min(left.length, right.length));
        expect(pairs.map((pair) => pair.known)).toEqual(
          known.filter((one) => pairs.some((pair) => pair.known === one)),
        );
        expect(pairs.map((pair) => pair.found)).toEqual(
          found.filter((one) => pairs.some((pair) => pair.found === one)),
        );
        const movement = pairs.reduce((sum, pair) => sum + linesApart(pair.known, pair.found), 0);
        expect(movement).toBe(leastMovement(known, found));
      }),
    );
  });

  it("are never left out when they may not be", () => {
    fc.assert(
      fc.property(anyLines, anyLines, fc.nat(6), (left, right, kept) => {
        const [known, found] = [places(left), places(right)];
        const needed = new Set(known.slice(0, Math.min(kept, found.length)));
        const pairs = alignFindings({ known, found, mayMiss: (one) => !needed.has(one) });
        expect([...needed].every((one) => pairs.some((pair) => pair.known === one))).toBe(true);
        expect(pairs).toHaveLength(Math.min(left.length, right.length));
      }),
    );
  });
});
