import { expect, it } from "vitest";
import { parseDiff } from "#core/diff/diff.ts";
import { type DiffPath, pathBytes } from "#core/diff/diff-path.ts";
import { readNumstat } from "./git-lists.ts";
import { git, inFolder, makeRepository } from "./made-repository.ts";
import { type Chance, chanceFrom, pick, randomTrees } from "./random-trees.ts";

/** Damages a patch the way a bad transport or a clever person would. */
function damage(chance: Chance, patch: Buffer): Buffer {
  const lines = patch.toString("latin1").split("\n");
  const at = chance(lines.length);
  const line = lines[at] ?? "";
  const ways: readonly [() => void, ...(() => void)[]] = [
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, line),
    () => lines.splice(at),
    () =>
      lines.splice(at, 1, pick(chance, ["+", "-", " ", "", "@@ -1 +1 @@", "--- a/x", "+++ b/x", "diff --git a/x b/x"])),
    () => lines.splice(at, 1, line.slice(0, chance(line.length + 1))),
    () =>
      lines.splice(
        at,
        1,
        line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
      ),
    () => lines.splice(at, 1, line.slice(1)),
    () => lines.splice(at, 2, lines[at + 1] ?? "", line),
  ];
  pick(chance, ways)();
  return Buffer.from(lines.join("\n"), "latin1");
}

interface Reading {
  readonly added: number;
  readonly removed: number;
  readonly name: string;
}

function ourReading(patch: Uint8Array): readonly Reading[] | undefined {
  const outcome = parseDiff(new Uint8Array(patch));
  if (outcome.kind !== "diff") return undefined;
  return outcome.diff.files.map((file) => {
    const name = Buffer.from(bytesOf(file.newPath ?? file.oldPath)).toString("latin1");
    return { added: file.addedLines, removed: file.removedLines, name };
  });
}

function bytesOf(path: DiffPath | undefined): Uint8Array {
  return path === undefined ? new Uint8Array() : pathBytes(path);
}

function gitReading(folder: string, patch: Uint8Array): readonly Reading[] | undefined {
  try {
    return readNumstat(git(folder, ["apply", "--numstat", "-z", "-"], patch)).map(({ added, removed, name }) => ({
      added,
      removed,
      name,
    }));
  } catch {
    return undefined;
  }
}

function makePatch(seed: number): Buffer {
  return inFolder((folder) => {
    makeRepository(folder, randomTrees(seed));
    return git(folder, ["diff", "-M", "base", "head"]);
  });
}

it("the reader of diffs never accepts a damaged patch that git refuses, nor reads it otherwise", () => {
  const patches = [101, 102, 103, 104, 105, 106].map(makePatch);
  inFolder((folder) => {
    let accepted = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const damaged = damage(chanceFrom(seed), patches[seed % patches.length] ?? Buffer.alloc(0));
      const ours = ourReading(damaged);
      if (ours === undefined || ours.length === 0) continue;
      accepted += 1;
      expect({ seed, reading: gitReading(folder, damaged) }).toEqual({ seed, reading: ours });
    }
    // Some damage is harmless: a changed line is still a line.
    expect(accepted).toBeGreaterThan(20);
  });
});
