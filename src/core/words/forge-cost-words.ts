import { counted } from "#core/words/counted.ts";

export interface ForgeCost {
  readonly requests: number;
  /** Points of GraphQL, counted requests of REST. */
  readonly points: number;
  /** The tighter limit, as last told; null where the forge tells nothing. */
  readonly budget: { readonly left: number; readonly limit: number } | null;
}

export function forgeCostWords({ requests, points, budget }: ForgeCost): string {
  const left = budget === null ? "" : `, ${budget.left} of ${budget.limit} left`;
  return `the forge: ${counted(requests, "request", "requests")}, ${counted(points, "point", "points")}${left}`;
}
