import type { Rights } from "#github-like/rights.ts";

/** One request and what became of it. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** As the sandbox's source of faults knows it; null for what is no operation of this API. */
  readonly endpoint: string | null;
  readonly isWrite: boolean;
  readonly body: unknown;
  /** Names in lower case; without the authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rights: Rights | null;
  /** Null: no answer was given. */
  readonly status: number | null;
  readonly answer: unknown;
  /** Against the hourly limit of REST requests or of GraphQL points. */
  readonly resource: "core" | "graphql" | null;
  readonly cost: number;
}

export function figuresOf(seen: SeenRequest): SeenRequest {
  return { ...seen, body: undefined, answer: undefined, headers: {} };
}
