export type DatabaseErrorKind =
  | "unreachable"
  /** The server denies access, or has no such database. */
  | "refused"
  /** Another role owns objects under our names. It could have them run anything with our rights. */
  | "foreign"
  /** Another process holds the lock on the tables and does not end. */
  | "locked"
  | "too_old"
  | "not_writable"
  | "in_use"
  | "disk_full"
  /** The embedded engine does not sync what it commits. */
  | "not_durable"
  | "damaged"
  /** The embedded engine stopped itself. What it had not answered may be done or not. */
  | "broken";

/** The message is for operators: what is wrong, and what to do about it. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;

  constructor(kind: DatabaseErrorKind, message: string, facts: { readonly cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "DatabaseError";
    this.kind = kind;
  }
}
