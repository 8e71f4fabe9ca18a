import { type Instant, secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/** Observes the statements that are sent anyway: there is no extra statement for it. */
export interface DatabaseHealth {
  follow<Value>(work: () => Promise<Value>): Promise<Value>;
  note(outcome: "done" | "failed"): void;
  /** Null: all is well. Anybody may read it, so it tells no details. */
  findTrouble(): string | null;
}

/** No followed statement takes a tenth of this. A silent server is given up only after much longer. */
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
