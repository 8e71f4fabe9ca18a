/** From here on, people are told that a difference is probably no accident. */
export const chanceMax = 0.05;

/** With fewer, not even all of them on one side get below it: 2 / 2^5 is 0.06. */
export const differingMin = 6;

/** How often equal configurations would differ this unevenly by the toss of a coin. Exact, two-sided. */
export function signTest({ better, worse }: { readonly better: number; readonly worse: number }): number | null {
  const tosses = better + worse;
  if (tosses === 0) return null;
  let logChoose = 0;
  let tail = 0;
  for (let heads = 0; heads <= Math.min(better, worse); heads += 1) {
    if (heads > 0) logChoose += Math.log(tosses - heads + 1) - Math.log(heads);
    // By logarithms, since two to the power of a few thousand is no number here.
    tail += Math.exp(logChoose - tosses * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}
