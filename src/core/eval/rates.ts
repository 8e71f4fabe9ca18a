import type { Counts } from "#core/eval/counts.ts";

/** From 0 to 1; null where there is nothing to take a share of. */
export interface Rates {
  readonly precision: number | null;
  readonly recall: number | null;
  /** Null: nothing was to be found, and nothing was said. */
  readonly f1: number | null;
  readonly wrongPerLook: number | null;
  /** Of the blockers that were found, how many block. */
  readonly calibration: number | null;
}

export function ratesOf({ looks, expected, found, wrong, blockersFound, blockersBlocked }: Counts): Rates {
  return {
    precision: share(found, found + wrong),
    recall: share(found, expected),
    f1: share(2 * found, found + wrong + expected),
    wrongPerLook: share(wrong, looks),
    calibration: share(blockersBlocked, blockersFound),
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
