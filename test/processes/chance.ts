/** Seeded chance for what people do and when processes die. When exactly things meet is the machine's affair. */
export interface Chance {
  /** An integer from 0 to below `bound`. */
  below(bound: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function createChance(seed: number): Chance {
  let state = seed | 0;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    // The low bits of such a sequence repeat soon; the high ones do not.
    return Math.floor(((state >>> 0) / 2 ** 32) * bound);
  };
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
