import { time } from "#forge-like/time.ts";
import type { Allowance } from "#github-like/allowance.ts";
import { viewerView } from "#github-like/graphql/actor-view.ts";
import type { Cost } from "#github-like/graphql/cost.ts";
import { noNode, TypedError } from "#github-like/graphql/graphql-error.ts";
import { findNode } from "#github-like/graphql/node-view.ts";
import { repositoryView } from "#github-like/graphql/repository-view.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { findRepository, type Sight } from "#github-like/sight.ts";

export function queryView(
  sight: Sight,
  { cost, allowance }: { readonly cost: Cost; readonly allowance: Allowance },
): View {
  const nodeOf = async (id: string): Promise<View> => {
    const found = await findNode(sight, id);
    if (found === undefined) throw noNode(id);
    return found;
  };
  return {
    __typename: "Query",
    viewer: () => viewerView(sight),
    repository: async ({ owner, name }: Arguments) => {
      const wanted = `${String(owner)}/${String(name)}`;
      const found = await findRepository(sight, wanted);
      if (found === undefined)
        throw new TypedError("NOT_FOUND", `Could not resolve to a Repository with the name '${wanted}'.`);
      return repositoryView(sight, found);
    },
    node: ({ id }: Arguments) => nodeOf(String(id)),
    // Each on its own: one that is gone is a null with an error, and the others are told all the same.
    nodes: ({ ids }: Arguments) => (Array.isArray(ids) ? ids.map((id) => nodeOf(String(id))) : []),
    rateLimit: () => ({
      __typename: "RateLimit",
      cost: cost.points,
      nodeCount: cost.nodeCount,
      limit: allowance.limit,
      used: allowance.used,
      remaining: Math.max(0, allowance.limit - allowance.used),
      resetAt: time(allowance.resetAt),
    }),
  };
}
