import type { Forge } from "#ports/forge.ts";
import type { UnderWay } from "#testing/virtual-clock.ts";

/** Knows whether a client is waiting for its forge: no time passes meanwhile. */
export interface Wire {
  /** The same forge, whose calls are known of until they have ended. They must not sleep on the clock. */
  over(forge: Forge): Forge;
  readonly underWay: UnderWay;
}

export function createWire(): Wire {
  const running = new Set<Promise<unknown>>();
  const follow = async (call: Promise<unknown>): Promise<unknown> => {
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
    }
  };
  return {
    over: (forge) =>
      new Proxy(forge, {
        get: (target, key) => {
          const method: unknown = Reflect.get(target, key);
          if (typeof method !== "function") return method;
          return (...given: readonly unknown[]) => {
            const answer: unknown = Reflect.apply(method, target, given);
            return answer instanceof Promise ? follow(answer) : answer;
          };
        },
      }),
    underWay: () => (running.size === 0 ? undefined : Promise.allSettled(running).then(() => undefined)),
  };
}
