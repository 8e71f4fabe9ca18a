/** Lets work on one key wait for the work before it; other keys go on beside it. */
export interface KeyedLock {
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
}

export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      // The caller before has its own failure.
      const mine = before.then(work, work);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
