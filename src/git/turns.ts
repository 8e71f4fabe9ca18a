/** Lets work on one key wait for the work before it; other keys go on beside it. */
export interface Turns {
  take<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      // Whoever was before has told its own caller about its failure.
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
