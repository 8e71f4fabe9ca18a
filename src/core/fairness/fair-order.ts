import { type OriginText, repositoryText } from "#core/fairness/work-origin.ts";

/** Each once, the most recent one at the end. */
export type ServedOrigins = readonly OriginText[];

/** Served longer ago counts as never served: then the longest wait comes first. */
export const servedMax = 64;

export function withServed(served: ServedOrigins, origin: OriginText): ServedOrigins {
  return [...served.filter((other) => other !== origin), origin].slice(-servedMax);
}

/** The higher, the more recently. Missing: not served for long. */
export interface ServedRanks {
  readonly repositories: ReadonlyMap<string, number>;
  readonly origins: ReadonlyMap<OriginText, number>;
}

export function ranksOf(served: ServedOrigins): ServedRanks {
  return {
    repositories: new Map(served.map((origin, index) => [repositoryText(origin), index + 1])),
    origins: new Map(served.map((origin, index) => [origin, index + 1])),
  };
}

/** The repository served longest ago first, in it the author: a thousand pulls take one turn in two. */
export function compareOrigins(ranks: ServedRanks, left: OriginText, right: OriginText): number {
  if (left === right) return 0;
  const rankOf = (origin: OriginText): number => ranks.repositories.get(repositoryText(origin)) ?? 0;
  return rankOf(left) - rankOf(right) || (ranks.origins.get(left) ?? 0) - (ranks.origins.get(right) ?? 0);
}
