export interface ForgeCallCost {
  readonly api: "rest" | "graphql";
  readonly call: string;
  /** Of the primary limit: points of GraphQL, requests of REST. A 304 costs nothing. */
  readonly points: number;
  readonly isNotModified: boolean;
}
