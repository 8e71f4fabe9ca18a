/** Work on one key runs in turn, other keys beside it. */
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
