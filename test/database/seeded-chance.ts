/** Numbers from 0 to below the bound, the same ones for the same seed. */
export type SeededChance = (bound: number) => number;

export function seededChance(seed: number): SeededChance {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a sequence repeat soon.
    return (state >>> 8) % bound;
  };
}
