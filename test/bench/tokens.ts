import { rankOf } from "#core/prompt/file-rank.ts";
import { packDiff } from "#core/prompt/pack-diff.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { makeDiffs } from "./diff-corpus.ts";
import { median, short, tableLines } from "./figures.ts";
import { cutDiffs, parsed, type RealDiff, realDiffs, textOf } from "./tokens-corpus.ts";
import { countTokens, type ReviewTokens, reviewTokens } from "./tokens-review.ts";

type Print = (line: string) => void;

const goals = { fixed: 700, total: 1.7, billed: 1.3, countMs: 50 } as const;

/** What a review by a model sends beside the diff itself, and how fast its prompt is made. */
export async function benchTokens(print: Print, { diffs }: { readonly diffs: number }): Promise<void> {
  const fixed = await fixedTokens();
  print(`tokens: o200k; one role, tools and shape of the answer included; a cached token costs a tenth`);
  print(`  fixed: ${fixed} tokens before any diff: ${judged(fixed, goals.fixed)}`);
  const large = makeDiffs([1, 10]);
  await benchReviews(print, { real: realDiffs(diffs), large: largeCuts(large[0]), fixed });
  benchPacking(print, large);
  benchCounting(print);
}

/** A change of one letter, without what the letter needs. */
async function fixedTokens(): Promise<number> {
  const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n";
  const { onePass } = await reviewTokens(new TextEncoder().encode(diff), { path: "a" });
  return onePass - countTokens("=== a\n@@ 1\n-a\n+b\n");
}

interface Measured extends ReviewTokens {
  readonly bytes: number;
  readonly raw: number;
}

interface Reviewed {
  readonly real: readonly RealDiff[];
  readonly large: readonly RealDiff[];
  readonly fixed: number;
}

/** The larger changes have rows of their own and no part in what is judged: they are not what anybody wrote. */
async function benchReviews(print: Print, { real, large, fixed }: Reviewed): Promise<void> {
  const measured = await measureAll(real);
  const rows = sizes.map(({ name, from, to }) => rowOf(name, within(measured, from, to)));
  const heads = ["size", "changes", "raw diff", "1 pass", "x raw", "3 passes", "billed", "x 1 pass", "calls"];
  const all = [...rows, rowOf("all real", measured), rowOf("synthetic", await measureAll(large))];
  print("  real changes of this repository, and synthetic ones of 0.6, 1 and 2 MB; medians");
  for (const line of tableLines(heads, all)) print(`  ${line}`);
  const total = median(measured.map(({ onePass, raw }) => onePass / raw));
  const slope = median(measured.map(({ onePass, raw }) => (onePass - fixed) / raw));
  const usual = (fixed + slope * usualTokens) / usualTokens;
  print(`  total: ${short(total)} x the raw diff: ${judged(total, goals.total)}`);
  print(`  total at a raw diff of ${usualTokens} tokens: ${short(usual)} x: ${judged(usual, goals.total)}`);
  for (const [words, those] of [
    ["all changes", measured],
    ["changes of 5 kB and more", within(measured, goalBytesMin, Number.POSITIVE_INFINITY)],
  ] as const) {
    const billed = median(those.map(({ threePassesBilled, onePass }) => threePassesBilled / onePass));
    print(`  billed for three passes, ${words}: ${short(billed)} x one pass: ${judged(billed, goals.billed)}`);
  }
}

async function measureAll(diffs: readonly RealDiff[]): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const { bytes } of diffs) {
    const path = parsed(bytes).files.find((file) => rankOf(file.path) !== "generated")?.path;
    // A change of generated files alone is not sent anywhere.
    if (path === undefined) continue;
    measured.push({ bytes: bytes.length, raw: countTokens(textOf(bytes)), ...(await reviewTokens(bytes, { path })) });
  }
  return measured;
}

function within(measured: readonly Measured[], from: number, to: number): readonly Measured[] {
  return measured.filter(({ bytes }) => bytes >= from && bytes < to);
}

function rowOf(name: string, those: readonly Measured[]): readonly string[] {
  return [name, `${those.length}`, ...figuresOf(those)];
}

const goalBytesMin = 5_000;
/** The median of 200 commits of other projects, by which the goal was set; the changes of this one are larger. */
const usualTokens = 720;
const sizes = [
  { name: "below 5 kB", from: 0, to: 5_000 },
  { name: "5-50 kB", from: 5_000, to: 50_000 },
  { name: "50-500 kB", from: 50_000, to: 500_000 },
  { name: "0.5-2 MB", from: 500_000, to: Number.POSITIVE_INFINITY },
] as const;

function figuresOf(those: readonly Measured[]): readonly string[] {
  const middle = (of: (one: Measured) => number): string => short(median(those.map(of)));
  return [
    middle(({ raw }) => raw),
    middle(({ onePass }) => onePass),
    middle(({ onePass, raw }) => onePass / raw),
    middle(({ threePasses }) => threePasses),
    middle(({ threePassesBilled }) => threePassesBilled),
    middle(({ threePassesBilled, onePass }) => threePassesBilled / onePass),
    middle(({ calls }) => calls),
  ];
}

/** A young repository has no changes of that size yet. */
function largeCuts(whole: Uint8Array | undefined): readonly RealDiff[] {
  return whole === undefined ? [] : cutDiffs(whole, [600_000, 1_000_000, 2_000_000]);
}

function benchPacking(print: Print, diffs: readonly Uint8Array[]): void {
  for (const bytes of diffs) {
    const speed = bestOf(5, () => {
      const packed = packDiff(parsed(bytes), { callTokensMax: 60_000, callsMax: 10_000, isExcluded: () => false });
      if (packed.calls.length === 0) throw new Error("nothing was packed");
    });
    print(`  packing ${short(bytes.length / 1e6)} MB: ${short(bytes.length / 1e3 / speed)} MB/s, parsing included`);
  }
}

const lineCharacters = 100_000;
const hardLines: Readonly<Record<string, string>> = {
  a: "a".repeat(lineCharacters),
  "=": "=".repeat(lineCharacters),
  blank: " ".repeat(lineCharacters),
  字: "字".repeat(lineCharacters / 3),
  aB1: "aB1".repeat(lineCharacters / 3),
};

function benchCounting(print: Print): void {
  const slowest = Math.max(...Object.values(hardLines).map((line) => bestOf(3, () => void estimateTokens(line))));
  print(`  counting a line of 100 kB: ${short(slowest)} ms at worst: ${judged(slowest, goals.countMs)}`);
}

function bestOf(rounds: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function judged(value: number, most: number): string {
  return value <= most ? `goal ${most} reached` : `goal ${most} MISSED`;
}
