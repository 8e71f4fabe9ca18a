import { formatInstant, type Instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log, LogFacts } from "#ports/log.ts";

export function consoleLog({ write, clock }: { readonly write: (line: string) => void; readonly clock: Clock }): Log {
  const timeOf = rememberLast(formatInstant);
  const writeLine = (level: string, facts: LogFacts, message: string): void => {
    const head = `{"at":"${timeOf(clock.now())}","level":"${level}","message":${JSON.stringify(message)}`;
    const rest = JSON.stringify(withoutHead(facts)).slice(1);
    try {
      write(rest === "}" ? `${head}}\n` : `${head},${rest}\n`);
    } catch {
      // A full disk or a closed pipe must not stop the work, and the error can be reported nowhere.
    }
  };
  return {
    info: (facts, message) => writeLine("info", facts, message),
    warn: (facts, message) => writeLine("warn", facts, message),
    error: (facts, message) => writeLine("error", facts, message),
  };
}

/** A fact called `level` must not replace the level of the line. */
function withoutHead(facts: LogFacts): LogFacts {
  if (!("at" in facts) && !("level" in facts) && !("message" in facts)) return facts;
  const { at: _at, level: _level, message: _message, ...others } = facts;
  return others;
}

/** Many lines share one millisecond, and formatting a time takes longer than the rest of a short line. */
function rememberLast(format: (at: Instant) => string): (at: Instant) => string {
  let last: { readonly at: Instant; readonly text: string } | undefined;
  return (at) => {
    if (last?.at !== at) last = { at, text: format(at) };
    return last.text;
  };
}
