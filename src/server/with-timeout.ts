/**
 * The value, or another where it takes too long. On Node's own timers rather than the clock's: with thousands of
 * requests in a second the signal that ends each sleep would cost more than the timer.
 */
export function withTimeout<Value, Late>(promise: Promise<Value>, limit: Limit<Late>): Promise<Value | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limit.ms, limit.late);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

interface Limit<Late> {
  readonly ms: number;
  readonly late: Late;
}
