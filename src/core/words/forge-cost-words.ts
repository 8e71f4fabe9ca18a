import { counted } from "#core/words/counted.ts";

/** What calls to a forge have cost. */
export interface ForgeCost {
  readonly requests: number;
  /** Of its limits: points of GraphQL, requests of REST that were counted. */
  readonly points: number;
  /** The tighter of its limits, as it was last told; null where the forge tells nothing. */
  readonly budget: { readonly left: number; readonly limit: number } | null;
}

export function forgeCostWords({ requests, points, budget }: ForgeCost): string {
  const left = budget === null ? "" : `, ${budget.left} of ${budget.limit} left`;
  return `the forge: ${counted(requests, "request", "requests")}, ${counted(points, "point", "points")}${left}`;
}
