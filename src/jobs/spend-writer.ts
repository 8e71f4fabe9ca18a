import type { Spend } from "#core/budget/spend.ts";
import { errorText } from "#core/error-text.ts";
import type { Spending } from "#ports/spending.ts";

/** Records calls, one after the other, so that many calls at once do not flood the store. */
export interface SpendWriter {
  /** In the background. What cannot be written yet waits for the next one, or for `flush`. */
  write(spend: Spend): void;
  /** Everything is written down, or it rejects. */
  flush(): Promise<void>;
}

export function createSpendWriter(
  spending: Pick<Spending, "saveSpend">,
  onUnwritten: (why: string) => void,
): SpendWriter {
  let last: Promise<void> = Promise.resolve();
  const waiting: Spend[] = [];
  const writeWaiting = async (): Promise<void> => {
    for (let spend = waiting[0]; spend !== undefined; spend = waiting[0]) {
      await spending.saveSpend(spend);
      waiting.shift();
    }
  };
  return {
    write: (spend) => {
      waiting.push(spend);
      last = last.then(writeWaiting).catch((error: unknown) => onUnwritten(errorText(error)));
    },
    flush: async () => {
      const mine = last.then(writeWaiting);
      last = mine.catch(() => undefined);
      await mine;
    },
  };
}
