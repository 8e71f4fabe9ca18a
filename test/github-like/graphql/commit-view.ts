import type { HeadSha } from "#core/model/ids.ts";
import { time } from "#forge-like/time.ts";
import { latestStatuses } from "#forges/sandbox/report-status.ts";
import { rollupView } from "#github-like/graphql/check-view.ts";
import { mustBeAllowed } from "#github-like/graphql/graphql-error.ts";
import { repositoryScalars } from "#github-like/graphql/repository-scalars.ts";
import type { View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import type { PullSight } from "#github-like/sight.ts";

/** Of a commit the sandbox knows little: its dates are those of the push. */
export function commitView(pull: PullSight, oid: HeadSha): View {
  const { sight, entry, state } = pull;
  const at = time(oid === state.head.sha ? state.head.pushedAt : state.createdAt);
  const { repository } = entry;
  return {
    __typename: "Commit",
    id: nodeId("C", repository.ref.id, oid),
    oid,
    abbreviatedOid: oid.slice(0, 7),
    url: `${sight.url}/${repository.ref.name}/commit/${oid}`,
    committedDate: at,
    authoredDate: at,
    // Long deprecated, and null ever since.
    pushedDate: null,
    repository: () => repositoryScalars(sight, repository),
    statusCheckRollup: () => {
      mustBeAllowed(sight, [
        ["checks", "read"],
        ["statuses", "read"],
      ]);
      const statuses = latestStatuses(repository.statuses.get(oid) ?? [], sight.at);
      return statuses.length === 0 ? null : rollupView(pull, oid, statuses);
    },
  };
}
