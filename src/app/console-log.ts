import { formatInstant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log, LogFacts } from "#ports/log.ts";

/** One line of JSON per message, for people with `jq` and for whatever collects logs. */
export function consoleLog({ write, clock }: { readonly write: (line: string) => void; readonly clock: Clock }): Log {
  const writeLine = (level: string, facts: LogFacts, message: string): void => {
    // Facts are after and below the rest: one of them called `level` must not change what the line is.
    const fixed = { at: formatInstant(clock.now()), level, message };
    try {
      write(`${JSON.stringify({ ...fixed, ...facts, ...fixed })}\n`);
    } catch {
      // Nobody is left to be told: a full disk or a closed pipe must not stop the work itself.
    }
  };
  return {
    info: (facts, message) => writeLine("info", facts, message),
    warn: (facts, message) => writeLine("warn", facts, message),
    error: (facts, message) => writeLine("error", facts, message),
  };
}
