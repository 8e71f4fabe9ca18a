import { packDiff } from "#core/prompt/pack-diff.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { judged, short } from "./figures.ts";
import { cutDiffs, parsed } from "./tokens-corpus.ts";

type Print = (line: string) => void;

const countMsMax = 50;

/** Each of them, and parts of the largest. */
export function benchPacking(print: Print, diffs: readonly Uint8Array[]): void {
  const whole = diffs.at(-1);
  const cut = whole === undefined ? [] : cutDiffs(whole, [50_000, 500_000, 2_000_000]).map(({ bytes }) => bytes);
  for (const bytes of [...diffs, ...cut].toSorted((left, right) => left.length - right.length)) {
    const ms = bestOf(bytes.length < 1_000_000 ? 40 : 5, () => {
      const packed = packDiff(parsed(bytes), { callTokensMax: 60_000, callsMax: 10_000, isExcluded: () => false });
      if (packed.calls.length === 0) throw new Error("nothing was packed");
    });
    print(`  packing ${short(bytes.length / 1e3)} kB: ${short(bytes.length / 1e3 / ms)} MB/s, parsing included`);
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

/** No line may keep a process busy, whatever is in it. */
export function benchCounting(print: Print): void {
  const slowest = Math.max(...Object.values(hardLines).map((line) => bestOf(3, () => void estimateTokens(line))));
  print(`  counting a line of 100 kB: ${short(slowest)} ms at worst: ${judged(slowest, countMsMax)}`);
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
