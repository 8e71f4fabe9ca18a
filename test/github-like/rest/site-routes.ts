import { HeadSha } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { readFileAt } from "#forge-like/read-file-at.ts";
import { time } from "#forge-like/time.ts";
import { mainBranch } from "#forges/sandbox/push-branch.ts";
import { notFound } from "#forges/sandbox/refusal.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { Repository } from "#forges/sandbox/world.ts";
import type { Allowance } from "#github-like/allowance.ts";
import { nodeId } from "#github-like/node-id.ts";
import { contentBody } from "#github-like/rest/content-body.ts";
import { page } from "#github-like/rest/page.ts";
import { ok, param, type Route, repositoryName } from "#github-like/rest/route.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import { mustFindRepository, type Sight } from "#github-like/sight.ts";

export const siteRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/rate_limit",
    name: "get_rate_limit",
    isWrite: false,
    needs: [],
    serve(sight) {
      const { asker, allowances, date } = sight;
      const core = limitBody(allowances.look(asker.id, "core", date));
      const graphql = limitBody(allowances.look(asker.id, "graphql", date));
      return ok({ resources: { core, graphql, search: { ...core, limit: 30, remaining: 30, used: 0 } }, rate: core });
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/contents/{path}",
    name: "get_contents",
    isWrite: false,
    needs: [["contents", "read"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const commit = findCommit(repository, asked.query.get("ref") ?? mainBranch);
      const path = param(asked.params, "path");
      const content = commit === undefined ? undefined : await readFileAt(sight, repository, { commit, path });
      if (content === undefined) throw notFound();
      if (/application\/vnd\.github(\.v3)?\.raw/.test(asked.accept)) {
        return { status: 200, body: content, headers: { "content-type": "application/vnd.github.raw; charset=utf-8" } };
      }
      return ok(contentBody(sight, repository, { path, content }));
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/activity",
    name: "list_activity",
    isWrite: false,
    needs: [["contents", "read"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const wanted = asked.query.get("ref")?.replace(/^refs\/heads\//, "") ?? null;
      const pushes = sight.world.history.filter(
        (change) =>
          change.repository.id === repository.ref.id &&
          change.at <= sight.at &&
          change.what.kind === "pushed" &&
          (wanted === null || change.what.branch === wanted),
      );
      const items = await Promise.all(pushes.toReversed().map((change) => activityBody(sight, repository, change)));
      return page(sight, asked, { items, path: `/repos/${repositoryName(asked)}/activity` });
    },
  },
];

function limitBody({ limit, used, resetAt }: Allowance): object {
  return { limit, used, remaining: Math.max(0, limit - used), reset: Math.ceil(resetAt / secondMs) };
}

/** A commit, a branch or any other ref. */
function findCommit(repository: Repository, ref: string): HeadSha | undefined {
  const branch = ref.replace(/^(refs\/)?heads\//, "");
  const pull = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1];
  if (pull !== undefined) return repository.pulls.get(Number(pull))?.versions.at(-1)?.state.head.sha;
  return HeadSha.safeParse(ref).data ?? repository.tips.get(`refs/heads/${branch}`);
}

const noCommit = "0".repeat(40);

async function activityBody(sight: Sight, repository: Repository, { what, at, by }: SandboxChange): Promise<object> {
  if (what.kind !== "pushed") throw new Error("not a push");
  const { from, to, branch } = what;
  const isForward =
    from !== null && (await sight.world.host.isAncestor({ repository: repository.ref.name, older: from, newer: to }));
  return {
    id: at % 2_000_000_000,
    node_id: nodeId("E", repository.ref.id, at, to),
    before: from ?? noCommit,
    after: to,
    ref: `refs/heads/${branch}`,
    timestamp: time(at),
    activity_type: from === null ? "branch_creation" : isForward ? "push" : "force_push",
    actor: userBody(sight, by),
  };
}
