import type { Random } from "#ports/random.ts";

/**
 * The same tokens in the same order for the same seed (32 bits), and others for any other: two workers need two seeds. In
 * one seed no token comes twice. Anybody can guess them, so it is for tests alone.
 */
export function createSeededRandom(seed: number): Random {
  let state = mixed(seed | 0);
  let count = 0;
  return {
    token: () => {
      // A step by an odd number visits all states before it comes back to the first.
      state = (state + 0x9e37_79b9) | 0;
      count += 1;
      return `${word(seed >>> 0)}${word(mixed(state) >>> 0)}${count.toString(36)}`;
    },
  };
}

/** Spreads neighbouring numbers over all of 32 bits; no two numbers become the same. */
function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb_352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846c_a68b);
  return twice ^ (twice >>> 16);
}

/** Seven letters and digits hold 32 bits. One width for all, so that no two joined words read the same. */
function word(value: number): string {
  return value.toString(36).padStart(7, "0");
}
