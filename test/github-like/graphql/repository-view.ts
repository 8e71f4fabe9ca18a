import { mayWrite, type Repository } from "#forges/sandbox/world.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { connection } from "#github-like/graphql/connection.ts";
import { mustBeAllowed, TypedError } from "#github-like/graphql/graphql-error.ts";
import { pullView } from "#github-like/graphql/pull-view.ts";
import { refView, repositoryScalars } from "#github-like/graphql/repository-scalars.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { pullsOf } from "#github-like/rest/comment-routes.ts";
import type { Need } from "#github-like/rights.ts";
import { findPull, type PullSight, type Sight } from "#github-like/sight.ts";

const readsPulls: readonly Need[] = [["pull_requests", "read"]];

export function repositoryView(sight: Sight, repository: Repository): View {
  return {
    ...repositoryScalars(sight, repository),
    pullRequest: ({ number }: Arguments) => {
      mustBeAllowed(sight, readsPulls);
      const pull = findPull(sight, repository, Number(number));
      if (pull !== undefined) return pullView(pull);
      throw new TypedError("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${String(number)}.`);
    },
    pullRequests: (args: Arguments) => {
      mustBeAllowed(sight, readsPulls);
      return connection<PullSight>(sight, {
        name: "PullRequest",
        items: chosen(args, pullsOf(sight, repository)),
        keyOf: keyOfOrder(args["orderBy"]),
        toNode: pullView,
      })(args);
    },
    ref: ({ qualifiedName }: Arguments) => {
      const name = String(qualifiedName).replace(/^refs\/heads\//, "");
      const tip = repository.tips.get(`refs/heads/${name}`);
      return tip === undefined ? null : refView(repository, name, tip);
    },
    collaborators: connection(sight, {
      name: "RepositoryCollaborator",
      items: [...sight.world.accounts.values()].filter((account) => mayWrite(repository, account)),
      toNode: (account) => actorView(sight, account),
    }),
  };
}

function chosen(args: Arguments, pulls: readonly PullSight[]): readonly PullSight[] {
  const { states, baseRefName, headRefName, orderBy } = args;
  const found = pulls.filter(
    ({ state }) =>
      (!Array.isArray(states) || states.includes(state.state.toUpperCase())) &&
      (typeof baseRefName !== "string" || state.base.branch === baseRefName) &&
      (typeof headRefName !== "string" || state.head.branch === headRefName),
  );
  const { field, direction } = readOrder(orderBy);
  const key = ({ state }: PullSight): number => (field === "UPDATED_AT" ? state.changedAt : state.createdAt);
  return found.toSorted((one, other) => {
    const order = key(one) - key(other) || one.entry.ref.number - other.entry.ref.number;
    return direction === "ASC" ? order : -order;
  });
}

/** More than there are pulls in a repository. */
const pullsMax = 1_000_000_000;

/** In the order of creation a cursor names a pull, so that new ones do not move the pages. */
function keyOfOrder(orderBy: unknown): ((pull: PullSight) => number) | undefined {
  const { field, direction } = readOrder(orderBy);
  if (field !== "CREATED_AT") return undefined;
  return ({ entry: { ref } }) => (direction === "ASC" ? ref.number : pullsMax - ref.number);
}

function readOrder(orderBy: unknown): { readonly field: unknown; readonly direction: unknown } {
  if (typeof orderBy !== "object" || orderBy === null) return { field: "CREATED_AT", direction: "ASC" };
  return { field: Reflect.get(orderBy, "field"), direction: Reflect.get(orderBy, "direction") };
}
