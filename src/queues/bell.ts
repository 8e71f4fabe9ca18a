import type { WakeSubscription } from "#ports/queue.ts";

/** Calls everybody in this process who wants to be woken. */
export interface WakeListeners {
  ring(): void;
  listen(listener: () => void): WakeSubscription;
}

export function createWakeListeners(): WakeListeners {
  const listeners = new Set<() => void>();
  return {
    ring: () => {
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      // A function of its own, so that whoever listens twice is called twice and can stop once.
      const called = (): void => listener();
      listeners.add(called);
      return { stop: async () => void listeners.delete(called) };
    },
  };
}
