// oxlint-disable no-underscore-dangle -- These are PGlite's names.
import type { PGlite } from "@electric-sql/pglite";
import type { DatabaseError } from "#database/database-error.ts";

export interface Guard {
  isBroken(): boolean;
  check(): void;
  /** Nothing may enter it from now on, though nothing is wrong with the engine itself. */
  breakOff(error: DatabaseError): void;
}

/** With this status PostgreSQL leaves a statement that failed in an orderly manner. */
const orderlyStatus = 100;

/**
 * A panic of PostgreSQL (a full disk, a sync that failed) or a fault of the engine throws out of its loop. PGlite takes
 * every such error for that of a statement and asks the engine on, which then answers nonsense or never. So after the
 * first one nothing may enter the engine any more, and the loop that is at it has to end.
 */
export function guardModule(module: PGlite["Module"], errorFor: (cause: unknown) => DatabaseError): Guard {
  let broken: DatabaseError | undefined;
  const refuse = (): never => {
    throw broken ?? new Error("only a broken engine refuses");
  };
  const breakOff = (error: DatabaseError): void => {
    broken = error;
    module._PostgresMainLoopOnce = refuse;
    // The loop calls it for each error, outside of its own catch: thrown from there, ours ends it.
    module.stackRestore = refuse;
    module._PostgresSendReadyForQueryIfNecessary = () => undefined;
    module._pgl_pq_flush = () => undefined;
  };
  const loopOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      if (isOrderly(error)) throw error;
      breakOff(errorFor(error));
      throw error;
    }
  };
  return {
    breakOff,
    isBroken: () => broken !== undefined,
    check: () => {
      if (broken !== undefined) throw broken;
    },
  };
}

function isOrderly(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === orderlyStatus;
}
