/** What one answer of a forge cost, for metrics and logs. */
export interface ForgeCallCost {
  readonly api: "rest" | "graphql";
  /** `fetch pull`, `create comment`. */
  readonly call: string;
  /** Of the primary limit, where there is one: points of GraphQL, requests of REST. A 304 costs nothing. */
  readonly points: number;
  readonly isNotModified: boolean;
}
