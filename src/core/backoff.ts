export interface Backoff {
  /** The pause after the first attempt is `firstMs`. */
  readonly attempt: number;
  readonly firstMs: number;
  /** Left out where so few attempts are made that no pause gets long. */
  readonly maxMs?: number;
}

/** A second becomes twelve days. Without an end a first pause of zero would be multiplied by infinity. */
const doublingsMax = 20;

export function backoffMs({ attempt, firstMs, maxMs = Infinity }: Backoff): number {
  const doublings = Math.min(Math.max(0, attempt - 1), doublingsMax);
  return Math.min(firstMs * 2 ** doublings, maxMs);
}
