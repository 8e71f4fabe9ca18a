import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeLines } from "#testing/memory-git/memory-host-merge.ts";

/** A text of lines that are all different, and what each of two people made of each line. */
const versions = fc
  .array(fc.tuple(edit("ours"), edit("theirs"), fc.boolean()), { maxLength: 12 })
  .chain((lines) =>
    fc.record({ lines: fc.constant(lines), hasEnd: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()) }),
  )
  .map(({ lines, hasEnd }) => {
    const sides = lines.map(([ours, theirs, isAlike], index) => ({
      origin: `line ${index}\n`,
      ours: ours(index),
      theirs: isAlike ? ours(index) : theirs(index),
    }));
    const textOf = (side: "origin" | "ours" | "theirs", keepsEnd: boolean): string => {
      const text = sides.map((line) => line[side]).join("");
      return keepsEnd ? text : text.replace(/\n$/, "");
    };
    const [first, second, third] = hasEnd;
    return { origin: textOf("origin", first), ours: textOf("ours", second), theirs: textOf("theirs", third) };
  });

function edit(who: string): fc.Arbitrary<(index: number) => string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant((index: number) => `line ${index}\n`) },
    { weight: 1, arbitrary: fc.constant(() => "") },
    { weight: 1, arbitrary: fc.constant((index: number) => `${who} ${index}\n`) },
    { weight: 1, arbitrary: fc.constant((index: number) => `${who} before ${index}\nline ${index}\n`) },
  );
}

describe("merging lines in memory", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-lines-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function mergeWithGit({ origin, ours, theirs }: Parameters<typeof mergeLines>[0]): string | undefined {
    const names = [ours, origin, theirs].map((text, index) => {
      writeFileSync(join(folder, String(index)), text);
      return String(index);
    });
    const { status, stdout } = spawnSync("git", ["merge-file", "--stdout", "--quiet", ...names], { cwd: folder });
    return status === 0 ? stdout.toString() : undefined;
  }

  it("agrees with git about texts that have no line twice", () => {
    const seen = { clean: 0, conflict: 0 };
    const property = fc.property(versions, (texts) => {
      const merged = mergeLines(texts);
      seen[merged === undefined ? "conflict" : "clean"] += 1;
      expect(merged).toBe(mergeWithGit(texts));
    });
    fc.assert(property, { numRuns: 150 });
    // Both kinds were there, so the agreement means something.
    expect(Math.min(seen.clean, seen.conflict)).toBeGreaterThan(10);
  });

  it("takes what one side left alone from the other", () => {
    const anyText = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { maxLength: 8 }).map((lines) => lines.join(""));
    const property = fc.property(anyText, anyText, (origin, changed) => {
      expect(mergeLines({ origin, ours: changed, theirs: origin })).toBe(changed);
      expect(mergeLines({ origin, ours: origin, theirs: changed })).toBe(changed);
      expect(mergeLines({ origin, ours: changed, theirs: changed })).toBe(changed);
    });
    fc.assert(property);
  });
});
