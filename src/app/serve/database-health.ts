import { type Instant, secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/**
 * Whether the database works, as seen by the statements that are sent all the time: there is no extra statement for it.
 */
export interface DatabaseHealth {
  /** Hears how this ends, and how long it takes. */
  follow<Value>(work: () => Promise<Value>): Promise<Value>;
  /** For what others follow: something was done, or failed. */
  note(outcome: "done" | "failed"): void;
  /** Why nothing can be done at the moment; null where nothing is the matter. Anybody may read it, so it tells no more. */
  findTrouble(): string | null;
}

/** Nothing that is followed takes a tenth of it. A server that says nothing is given up only after much longer. */
const answerMsMax = 10 * secondMs;

export function createDatabaseHealth(clock: Clock): DatabaseHealth {
  const waiting = new Set<{ readonly since: Instant }>();
  let last: "done" | "failed" = "done";
  return {
    follow: async (work) => {
      const own = { since: clock.now() };
      waiting.add(own);
      try {
        const value = await work();
        last = "done";
        return value;
      } catch (error) {
        last = "failed";
        throw error;
      } finally {
        waiting.delete(own);
      }
    },
    note: (outcome) => {
      last = outcome;
    },
    findTrouble: () => {
      if (last === "failed") return "the database fails; the log says why";
      const now = clock.now();
      const isSilent = [...waiting].some(({ since }) => now - since > answerMsMax);
      return isSilent ? "the database does not answer" : null;
    },
  };
}
