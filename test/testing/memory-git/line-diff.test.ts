import * as fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines } from "#testing/memory-git/line-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 25 });

it("the changes between two texts lead from the old lines to the new ones", () => {
  fc.assert(
    fc.property(lines, lines, (older, newer) => {
      const made: string[] = [];
      let at = 0;
      for (const change of diffLines(older, newer)) {
        made.push(...older.slice(at, change.oldStart));
        expect(made.length).toBe(change.newStart);
        made.push(...newer.slice(change.newStart, change.newEnd));
        at = change.oldEnd;
      }
      expect([...made, ...older.slice(at)]).toEqual(newer);
    }),
  );
});

it("the changes between two texts touch as few lines as possible", () => {
  fc.assert(
    fc.property(lines, lines, (older, newer) => {
      const changes = diffLines(older, newer);
      const edits = changes.reduce((sum, each) => sum + each.oldEnd - each.oldStart + each.newEnd - each.newStart, 0);
      expect(edits).toBe(older.length + newer.length - 2 * longestCommon(older, newer));
    }),
  );
});

it("the change between two large texts without a common line replaces one by the other", () => {
  const older = Array.from({ length: 3000 }, (_, index) => `old ${index}`);
  const newer = Array.from({ length: 3000 }, (_, index) => `new ${index}`);
  expect(diffLines(["same", ...older], ["same", ...newer])).toEqual([
    { oldStart: 1, oldEnd: 3001, newStart: 1, newEnd: 3001 },
  ]);
});

/** By the table that everybody knows. */
function longestCommon(older: readonly string[], newer: readonly string[]): number {
  let row = newer.map(() => 0);
  for (const left of older) {
    let diagonal = 0;
    let before = 0;
    row = newer.map((right, index) => {
      const above = row[index] ?? 0;
      const value = left === right ? diagonal + 1 : Math.max(above, before);
      diagonal = above;
      before = value;
      return value;
    });
  }
  return row.at(-1) ?? 0;
}
