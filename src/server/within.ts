/**
 * The value, or another where it takes too long. On Node's own timers rather than the clock's: with thousands of
 * requests in a second the signal that ends each sleep would cost more than the timer.
 */
export async function within<Value, Late>(promise: Promise<Value>, limit: Limit<Late>): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Late>((resolve) => {
    timer = setTimeout(resolve, limit.ms, limit.late);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Limit<Late> {
  readonly ms: number;
  readonly late: Late;
}
