import { rankOf } from "#core/prompt/file-rank.ts";
import { makeDiffs } from "./diff-corpus.ts";
import { judged, median, short, tableLines } from "./figures.ts";
import { cutDiffs, parsed, type RealDiff, realDiffs, textOf } from "./tokens-corpus.ts";
import { benchInjection } from "./tokens-injection.ts";
import { prAgentTokens } from "./tokens-pr-agent.ts";
import { cachedTokensMin, countTokens, type ReviewTokens, reviewTokens } from "./tokens-review.ts";
import { benchCounting, benchPacking } from "./tokens-speed.ts";
import { benchTalk } from "./tokens-talk.ts";

type Print = (line: string) => void;

const goals = { fixed: 700, total: 1.7, billed: 1.3 } as const;

/** What a review by a model sends beside the diff itself, and how fast its prompt is made. */
export async function benchTokens(
  print: Print,
  { diffs, "pr-agent": prAgent }: { readonly diffs: number; readonly "pr-agent": string },
): Promise<void> {
  const fixed = await fixedTokens();
  print(`tokens: o200k; one role, tools and shape of the answer included; a cached token costs a tenth`);
  print(`  fixed: ${fixed} tokens before any diff: ${judged(fixed, goals.fixed)}`);
  const large = makeDiffs([1, 10]);
  const real = realDiffs(diffs);
  // First of all, while little else is in memory: what fills it would be measured with it.
  benchPacking(print, [...small(real), ...large]);
  benchCounting(print);
  const measured = await benchReviews(print, { real, large: largeCuts(large[0]) });
  await benchTalk(print, real);
  benchPrAgent(print, { folder: prAgent, measured });
  benchInjection(print);
}

/** A change of one letter, without what the letter needs. */
async function fixedTokens(): Promise<number> {
  const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n";
  const { onePass } = await reviewTokens(new TextEncoder().encode(diff), { path: "a" });
  return onePass - countTokens("=== a\n@@ 1\n-a\n+b\n");
}

interface Measured extends ReviewTokens {
  readonly diff: Uint8Array;
  readonly bytes: number;
  readonly raw: number;
}

interface Reviewed {
  readonly real: readonly RealDiff[];
  readonly large: readonly RealDiff[];
}

/** The larger changes have rows of their own and no part in what is judged: they are not what anybody wrote. */
async function benchReviews(print: Print, { real, large }: Reviewed): Promise<readonly Measured[]> {
  const measured = await measureAll(real);
  const rows = sizes.map(({ name, from, to }) => rowOf(name, within(measured, from, to)));
  const heads = ["size", "changes", "raw diff", "1 pass", "x raw", "3 passes", "billed", "x 1 pass", "calls"];
  const all = [...rows, rowOf("all real", measured), rowOf("synthetic", await measureAll(large))];
  print("  real changes of this repository, and synthetic ones of 0.6, 1 and 2 MB; medians");
  for (const line of tableLines(heads, all)) print(`  ${line}`);
  const total = median(measured.map(({ onePass, raw }) => onePass / raw));
  const near = measured.filter(({ raw }) => raw > usualTokens * 0.75 && raw < usualTokens * 1.25);
  const usual = median(near.map(({ onePass, raw }) => onePass / raw));
  print(`  total: ${short(total)} x the raw diff: ${judged(total, goals.total)}`);
  const about = `${near.length} changes of about ${usualTokens} tokens`;
  print(`  total for ${about}: ${short(usual)} x the raw diff: ${judged(usual, goals.total)}`);
  for (const [words, those] of [
    ["all changes", measured],
    ["changes of 5 kB and more", within(measured, goalBytesMin, Number.POSITIVE_INFINITY)],
  ] as const) {
    const billed = median(those.map(({ threePassesBilled, onePass }) => threePassesBilled / onePass));
    print(`  billed for three passes, ${words}: ${short(billed)} x one pass: ${judged(billed, goals.billed)}`);
  }
  const sum = (of: (one: Measured) => number): number => measured.reduce((tokens, one) => tokens + of(one), 0);
  const whole = sum(({ threePassesBilled }) => threePassesBilled) / sum(({ onePass }) => onePass);
  print(`  billed for three passes, all of them together: ${short(whole)} x one pass`);
  const late = median(measured.map(({ threePassesBilledLate, onePass }) => threePassesBilledLate / onePass));
  print(`  the same median where caches begin at ${cachedTokensMin.late} tokens: ${short(late)} x one pass`);
  return measured;
}

/** One call of PR-Agent's review beside one pass and beside three. */
function benchPrAgent(
  print: Print,
  { folder, measured }: { readonly folder: string; readonly measured: readonly Measured[] },
): void {
  const theirs = prAgentTokens(
    folder,
    measured.map(({ diff }) => diff),
  );
  if (theirs.kind === "absent") {
    print(`  PR-Agent is not measured: ${theirs.why}`);
    return;
  }
  const { fixed, totals } = theirs;
  const total = median(totals);
  const toRaw = median(totals.map((tokens, index) => tokens / (measured[index]?.raw ?? 1)));
  print(
    `  PR-Agent's review of the same changes: fixed ${fixed}, median total ${short(total)}, ${short(toRaw)} x the raw diff`,
  );
  for (const [words, of] of [
    ["one pass", (one: Measured): number => one.onePass],
    ["three passes as billed", (one: Measured): number => one.threePassesBilled],
  ] as const) {
    const share = median(measured.map((one, index) => of(one) / (totals[index] ?? 1)));
    print(`    ours beside it, ${words}: ${short(share)} x`);
  }
}

async function measureAll(diffs: readonly RealDiff[]): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const { bytes, readFile } of diffs) {
    const path = parsed(bytes).files.find((file) => rankOf(file.path) !== "generated")?.path;
    // A change of generated files alone is not sent anywhere.
    if (path === undefined) continue;
    measured.push({
      diff: bytes,
      bytes: bytes.length,
      raw: countTokens(textOf(bytes)),
      ...(await reviewTokens(bytes, { path }, readFile)),
    });
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

/** A change of about 5 kB: the synthetic ones have no files as small as that. */
function small(real: readonly RealDiff[]): readonly Uint8Array[] {
  return real
    .map(({ bytes }) => bytes)
    .filter(({ length }) => length >= goalBytesMin)
    .toSorted((left, right) => left.length - right.length)
    .slice(0, 1);
}

/** A young repository has no changes of that size yet. */
function largeCuts(whole: Uint8Array | undefined): readonly RealDiff[] {
  return whole === undefined ? [] : cutDiffs(whole, [600_000, 1_000_000, 2_000_000]);
}
