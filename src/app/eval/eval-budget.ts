/** Money that may be spent on looks that run side by side. */
export interface EvalBudget {
  /** Sets aside what a look will cost; false where it is not there any more. */
  reserve(costMicroUsd: number): boolean;
  /** The look has ended: what was set aside is free again, and what it cost is gone. */
  settle(look: { readonly reserved: number; readonly spent: number }): void;
  /** The dearest look so far; null before the first one. */
  readonly dearest: () => number | null;
  /** What is neither spent nor set aside; null where nobody counts. */
  readonly left: () => number | null;
}

/** Null: as much as it takes. */
export function openEvalBudget(budgetMicroUsd: number | null): EvalBudget {
  let spent = 0;
  let reserved = 0;
  let dearest: number | null = null;
  return {
    reserve: (cost) => {
      if (budgetMicroUsd !== null && spent + reserved + cost > budgetMicroUsd) return false;
      reserved += cost;
      return true;
    },
    settle: (look) => {
      reserved -= look.reserved;
      spent += look.spent;
      dearest = Math.max(dearest ?? 0, look.spent);
    },
    dearest: () => dearest,
    left: () => (budgetMicroUsd === null ? null : Math.max(0, budgetMicroUsd - spent - reserved)),
  };
}
