/** On Node's own timers: with thousands of requests a second, the signals of the clock's sleeps would cost too much. */
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
