import { errorText } from "#core/error-text.ts";
/** What the child process that runs seeds is told. */
export type HuntOrder =
  /** Those that once found something, then from 1 up to a number, without the first few. */
  | { readonly kind: "many"; readonly last: number; readonly skip: number }
  | { readonly kind: "one"; readonly seed: number };

/** What it answers, one line of JSON for each. */
export type HuntWord =
  /** Said before a seed is run, so that whoever listens knows which one hangs. */
  | { readonly kind: "begins"; readonly seed: number }
  | { readonly kind: "failed"; readonly seed: number; readonly problem: string }
  | { readonly kind: "passed" };

export type RunSeed = (seed: number) => Promise<{ readonly problem: string | null }>;

/** The seeds that an order means, each once. */
export function seedsOf(order: HuntOrder, corpus: readonly number[]): readonly number[] {
  if (order.kind === "one") return [order.seed];
  const counted = Array.from({ length: order.last }, (_, index) => index + 1);
  return [...new Set([...corpus, ...counted])].slice(order.skip);
}

/** Runs seeds until one fails. What is thrown is a failure too: a simulation that breaks has noticed something. */
export async function hunt(seeds: readonly number[], runSeed: RunSeed, say: (word: HuntWord) => void): Promise<void> {
  for (const seed of seeds) {
    say({ kind: "begins", seed });
    const problem = await problemOf(seed, runSeed);
    if (problem === null) continue;
    say({ kind: "failed", seed, problem });
    return;
  }
  say({ kind: "passed" });
}

async function problemOf(seed: number, runSeed: RunSeed): Promise<string | null> {
  try {
    return (await runSeed(seed)).problem;
  } catch (error) {
    return `threw ${errorText(error)}`;
  }
}
