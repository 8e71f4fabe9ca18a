// oxlint-disable no-underscore-dangle -- These are PGlite's names.
import type { PGlite } from "@electric-sql/pglite";
import type { DatabaseError } from "#database/database-error.ts";

export interface Guard {
  isBroken(): boolean;
  check(): void;
  /** Refuses every later call, though the engine itself works. */
  breakOff(error: DatabaseError): void;
}

/** PostgreSQL leaves with this status when a statement failed in an orderly manner. */
const orderlyStatus = 100;

/** After a panic PGlite keeps calling the broken engine, which answers nonsense or never. So no call may enter it. */
export function guardModule(module: PGlite["Module"], errorFor: (cause: unknown) => DatabaseError): Guard {
  let broken: DatabaseError | undefined;
  const refuse = (): never => {
    throw broken ?? new Error("only a broken engine refuses");
  };
  const breakOff = (error: DatabaseError): void => {
    broken = error;
    module._PostgresMainLoopOnce = refuse;
    // The loop calls it for each error, outside of its own catch: an error thrown here ends the loop.
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
