import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const minuteMs = 60_000;

/** PGlite has no background processes. Without checkpoints a start reads a long log; without vacuum tables grow. */
const checkpointMs = minuteMs;
const vacuumMs = 10 * minuteMs;

export interface HousekeepingOptions {
  readonly checkpointMs?: number;
  readonly vacuumMs?: number;
  readonly onError: (error: unknown) => void;
}

export interface Housekeeping {
  stop(): Promise<void>;
}

/** Both block the one connection, for milliseconds with tables of our size. */
export function startHousekeeping(db: Kysely<Tables>, options: HousekeepingOptions): Housekeeping {
  let last = Promise.resolve();
  const every = (ms: number, statement: string): NodeJS.Timeout => {
    let isUnderWay = false;
    const timer = setInterval(() => {
      // Queued rounds would block the connection for nothing, and delay the end.
      if (isUnderWay) return;
      isUnderWay = true;
      last = last
        .then(() => run(statement))
        .finally(() => {
          isUnderWay = false;
        });
    }, ms);
    timer.unref();
    return timer;
  };
  const run = async (statement: string): Promise<void> => {
    try {
      await db.connection().execute((connection) => sql.raw(statement).execute(connection));
    } catch (error) {
      options.onError(error);
    }
  };
  const timers = [
    every(options.checkpointMs ?? checkpointMs, "checkpoint"),
    every(options.vacuumMs ?? vacuumMs, "vacuum (analyze)"),
  ];
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await last;
    },
  };
}
