export type DatabaseErrorKind =
  /** No server answers at that address, or it is not ready to. */
  | "unreachable"
  /** The server does not let us in, or has no such database. */
  | "refused"
  /** Another role owns objects under our names. It could have them run anything with our rights. */
  | "foreign"
  /** Another process holds the lock on the tables and does not end. */
  | "locked"
  /** The server is older than what our statements need. */
  | "too_old"
  /** The folder cannot be made or written. */
  | "not_writable"
  /** Another process has the folder. */
  | "in_use"
  | "disk_full"
  /** The embedded engine does not sync what it commits, so it must not be trusted with anything. */
  | "not_durable"
  /** What is in the folder does not start. */
  | "damaged"
  /** The embedded engine stopped itself while it worked. What it had not answered by then may be done or not. */
  | "broken";

/** Branch on `kind`. The message is for operators: what is wrong, and what to do about it. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;

  constructor(kind: DatabaseErrorKind, message: string, facts: { readonly cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "DatabaseError";
    this.kind = kind;
  }
}
