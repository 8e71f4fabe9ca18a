import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const minuteMs = 60_000;

/**
 * PGlite has none of the background processes of PostgreSQL. Without checkpoints the log grows and each start after a
 * kill reads all of it; without vacuum the tables grow with every update, and without analyze their plans get worse.
 */
const checkpointMs = minuteMs;
const vacuumMs = 10 * minuteMs;

export interface HousekeepingOptions {
  readonly checkpointMs?: number;
  readonly vacuumMs?: number;
  /** A failure is told and no more: the next round comes anyway. */
  readonly onError: (error: unknown) => void;
}

export interface Housekeeping {
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

/** Both delay the next user of the one connection: by milliseconds, for the tables that Drover has. */
export function startHousekeeping(db: Kysely<Tables>, options: HousekeepingOptions): Housekeeping {
  let last = Promise.resolve();
  const every = (ms: number, statement: string): NodeJS.Timeout => {
    let isUnderWay = false;
    const timer = setInterval(() => {
      // Rounds that queued up would hold everybody up for nothing, and be waited for at the end.
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
