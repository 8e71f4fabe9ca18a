import type { Instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

export interface SharedReadingOptions<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** How long what was read does for the next who ask. */
  readonly keepMs: number;
}

/**
 * One reading at a time, for all who ask meanwhile and a moment later. Anybody may ask, and impatient callers ask
 * again. With a reading for each of them, a slow database would have a line of readings in front of its real work.
 */
export function coalesceReads<Value>({ read, clock, keepMs }: SharedReadingOptions<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let endedAt: Instant | undefined;
  const isFresh = (now: Instant): boolean =>
    // A clock that was set back must not keep it for hours.
    endedAt === undefined || (now >= endedAt && now < endedAt + keepMs);
  return async () => {
    if (reading === undefined || !isFresh(clock.now())) {
      endedAt = undefined;
      reading = read().finally(() => {
        endedAt = clock.now();
      });
    }
    return await reading;
  };
}
