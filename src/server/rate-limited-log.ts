import { type Instant, minuteMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log, LogFacts } from "#ports/log.ts";

/** Strangers can cause these lines, which must not fill the disk. */
const linesPerMinuteMax = 60;

/** The first line of the next minute says how many were left out. */
export function rateLimitedWarnings(
  { log, clock }: { readonly log: Log; readonly clock: Clock },
  linesMax = linesPerMinuteMax,
): Log["warn"] {
  let since: Instant | undefined;
  let count = 0;
  return (facts: LogFacts, message: string) => {
    const now = clock.now();
    // A clock that was set back begins a new minute too, or nothing would be logged until it has caught up.
    if (since === undefined || now < since || now >= since + minuteMs) {
      const leftOut = Math.max(0, count - linesMax);
      if (leftOut > 0) log.warn({ count: leftOut }, "as many warnings more were left out");
      since = now;
      count = 0;
    }
    count++;
    if (count <= linesMax) log.warn(facts, message);
  };
}
