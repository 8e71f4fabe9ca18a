import { parsePatch } from "diff";
import parseDiffOfNpm from "parse-diff";
import { type AnchorClaim, resolveAnchor } from "#core/diff/anchor.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { iterateLines } from "#core/diff/diff-lines.ts";
import { type FileLines, indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import { makeDiffs } from "./diff-corpus.ts";

const anchorCount = 300;
const decoder = new TextDecoder();

/** Diff parsing and anchoring in MB/s, beside the npm parsers, in the same run on the same diffs. */
export async function benchDiff(print: (line: string) => void): Promise<void> {
  print(
    "diff: MB/s, best of several interleaved rounds; git gives bytes, and the npm parsers want a string: it is ready unless said",
  );
  for (const bytes of makeDiffs([1, 10, 50])) {
    await pause();
    benchOne(bytes, print);
  }
}

/** Lets the process see signals between the long stretches. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function benchOne(bytes: Uint8Array, print: (line: string) => void): void {
  const text = Buffer.from(bytes).toString("utf8");
  const diff = parsed(bytes);
  const claims = makeClaims(diff);
  const contenders: Readonly<Record<string, () => number>> = {
    parse: () => parsed(bytes).files.length,
    "parse + all lines": () => countLines(parsed(bytes)),
    [`parse + ${anchorCount} anchors`]: () => countAnchors(parsed(bytes), claims),
    "jsdiff 9": () => parsePatch(text).length,
    "jsdiff 9 from bytes": () => parsePatch(decoder.decode(bytes)).length,
    "parse-diff": () => parseDiffOfNpm(text).length,
  };
  const best = race(contenders, bytes.length);
  const hunks = diff.files.reduce((sum, file) => sum + file.hunkCount, 0);
  print(`  ${(bytes.length / 1e6).toFixed(1)} MB, ${diff.files.length} files, ${hunks} hunks`);
  const [ready, decoding] = [best.get("jsdiff 9") ?? Number.NaN, best.get("jsdiff 9 from bytes") ?? Number.NaN];
  for (const [name, speed] of best) {
    const ratios = `${(speed / ready).toFixed(1)} x jsdiff, ${(speed / decoding).toFixed(1)} x jsdiff from bytes`;
    print(`    ${name.padEnd(20)} ${speed.toFixed(0).padStart(6)} MB/s   ${ratios}`);
  }
}

/**
 * The best speed of each over several rounds. They take turns, so that a busy moment of the machine hits all of them,
 * and each turn goes through the diff so often that it pays for the garbage that it makes.
 */
function race(contenders: Readonly<Record<string, () => number>>, bytes: number): ReadonlyMap<string, number> {
  const repeats = Math.max(1, Math.round(turnBytes / bytes));
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = performance.now();
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        if (run() === 0) throw new Error(`${name} found nothing`);
      }
      const speed = (repeats * bytes) / 1e3 / (performance.now() - start);
      best.set(name, Math.max(best.get(name) ?? 0, speed));
    }
  }
  return best;
}

const rounds = 6;
const turnBytes = 50e6;

function parsed(bytes: Uint8Array): Diff {
  const outcome = parseDiff(bytes);
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

function countLines(diff: Diff): number {
  let characters = 0;
  for (const file of diff.files) {
    for (const line of iterateLines(diff, file)) characters += line.text.length + 1;
  }
  return characters;
}

interface FileClaim {
  readonly file: DiffFile;
  readonly claim: AnchorClaim;
}

/** Quotes of up to three lines from all over the diff, indented anew, with a claimed line that is a little off. */
function makeClaims(diff: Diff): readonly FileClaim[] {
  const files = diff.files.filter((file) => file.content.kind === "text" && file.newPath !== undefined);
  return Array.from({ length: anchorCount }, (_, index) => {
    const file = files[(index * 7919) % files.length];
    if (file === undefined) throw new Error("the diff has no text");
    const lines = indexLines(diff, file);
    const shown = Array.from(lines.marks.keys()).filter((line) => lines.marks[line] !== lineMark.removed);
    const at = (index * 104_729) % shown.length;
    const snippet = shown.slice(at, at + 3).map((line) => lineText(lines, line).trim());
    const claimedLine = (lines.newNumbers[shown[at] ?? 0] ?? 0) + (index % 5);
    return { file, claim: { snippet: snippet.join("\n"), claimedLine, side: "new" } };
  });
}

function countAnchors(diff: Diff, claims: readonly FileClaim[]): number {
  const indexes = new Map<DiffFile, FileLines>();
  let found = 0;
  for (const { file, claim } of claims) {
    const lines = indexes.get(file) ?? indexLines(diff, file);
    indexes.set(file, lines);
    if (resolveAnchor(lines, claim).kind !== "not_in_diff") found += 1;
  }
  return found;
}
