import type { Instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

export interface SharedReadingOptions<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** How long a value serves those who ask next. */
  readonly keepMs: number;
}

/** One read at a time: impatient callers would queue up reads before the real work of a slow database. */
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
