import { type OriginText, repositoryText } from "#core/fairness/work-origin.ts";

/** The origins that were served last, each once and the most recent one at the end. */
export type ServedOrigins = readonly OriginText[];

/** Who was served longer ago than so many others counts as never served: then who has waited longest comes first. */
export const servedMax = 64;

export function withServed(served: ServedOrigins, origin: OriginText): ServedOrigins {
  return [...served.filter((other) => other !== origin), origin].slice(-servedMax);
}

/** How recently each was served: the higher, the more recently. Who is not in here was not served for long. */
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

/**
 * Below zero if the left one's turn comes first: first the repository that was served longest ago, in it the author who
 * was. So a repository with a thousand waiting pulls, or with a thousand authors, takes one turn in two beside another.
 */
export function compareOrigins(ranks: ServedRanks, left: OriginText, right: OriginText): number {
  if (left === right) return 0;
  const rankOf = (origin: OriginText): number => ranks.repositories.get(repositoryText(origin)) ?? 0;
  return rankOf(left) - rankOf(right) || (ranks.origins.get(left) ?? 0) - (ranks.origins.get(right) ?? 0);
}
