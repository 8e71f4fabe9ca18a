import type { Account } from "#core/model/account.ts";

/** One request and what became of it. */
export interface SeenRequest {
  readonly method: string;
  /** With the query, below `/api/v1`. */
  readonly path: string;
  /** As the sandbox's source of faults knows it; null for what is no operation of this API. */
  readonly endpoint: string | null;
  readonly isWrite: boolean;
  readonly body: unknown;
  /** Names in lower case; without the authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly account: Account | null;
  /** Null: no answer was given. */
  readonly status: number | null;
  readonly answer: unknown;
}
