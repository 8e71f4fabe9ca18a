import { isAllowed, type Need } from "#github-like/rights.ts";
import type { Sight } from "#github-like/sight.ts";

/** The kinds of errors that stand in an answer whose status is 200. */
export type ErrorType =
  | "NOT_FOUND"
  | "FORBIDDEN"
  | "UNPROCESSABLE"
  | "RATE_LIMITED"
  | "MAX_NODE_LIMIT_EXCEEDED"
  | "INSUFFICIENT_SCOPES";

export class TypedError extends Error {
  readonly type: ErrorType;

  constructor(type: ErrorType, message: string) {
    super(message);
    this.type = type;
  }
}

export function noNode(id: string): TypedError {
  return new TypedError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
}

/** What a token of an installation may not see is an error of its own, not a null. */
export function mustBeAllowed({ rights }: Pick<Sight, "rights">, needs: readonly Need[]): void {
  if (!isAllowed(rights, needs)) throw new TypedError("FORBIDDEN", notAccessible);
}

const notAccessible = "Resource not accessible by integration";
