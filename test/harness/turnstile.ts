import type { UnderWay } from "#testing/virtual-clock.ts";

/**
 * Calls to a database go through one at a time, in the order in which they were made, as they do where all of it is in
 * memory: so a story goes the same way each time that it is told.
 */
export interface Turnstile {
  readonly underWay: UnderWay;
  /** The same port, whose calls go through here. */
  through<Port extends object>(port: Port): Port;
  pass<Answer>(call: () => Promise<Answer>): Promise<Answer>;
}

export function createTurnstile(): Turnstile {
  let last: Promise<void> | undefined;
  const pass = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const answer = last === undefined ? call() : afterwards(last, call);
    const ended = endOf(answer, () => {
      if (last === ended) last = undefined;
    });
    last = ended;
    return answer;
  };
  return {
    underWay: () => last,
    pass,
    through: (port) =>
      new Proxy(port, {
        get: (target, key) => {
          const method: unknown = Reflect.get(target, key);
          if (typeof method !== "function") return method;
          return (...given: readonly unknown[]) => pass(async () => Reflect.apply(method, target, given));
        },
      }),
  };
}

async function afterwards<Answer>(before: Promise<void>, call: () => Promise<Answer>): Promise<Answer> {
  await before;
  return await call();
}

/** Whoever made the call hears what came of it. */
async function endOf(answer: Promise<unknown>, onEnd: () => void): Promise<void> {
  await Promise.allSettled([answer]);
  onEnd();
}
