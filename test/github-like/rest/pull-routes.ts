import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import { readPullDiff } from "#forge-like/pull-diff.ts";
import { applyMerge } from "#forges/sandbox/apply-merge.ts";
import { editPull } from "#forges/sandbox/edit-pull.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { newestOf } from "#forges/sandbox/world.ts";
import { requestReviews } from "#forges/sandbox/write-endpoints.ts";
import { pullAsked, pullsOf } from "#github-like/rest/comment-routes.ts";
import { fileBodies } from "#github-like/rest/file-body.ts";
import { page } from "#github-like/rest/page.ts";
import { labelBody, pullBody, simplePullBody } from "#github-like/rest/pull-body.ts";
import {
  type Asked,
  created,
  numberParam,
  ok,
  param,
  type Route,
  readBody,
  repositoryName,
  Unprocessable,
} from "#github-like/rest/route.ts";
import { findAccount } from "#github-like/rest/user-body.ts";
import type { Need } from "#github-like/rights.ts";
import { entryOf, mustFindRepository, type PullSight, type Sight } from "#github-like/sight.ts";

const reads: readonly Need[] = [["pull_requests", "read"]];
const writes: readonly Need[] = [["pull_requests", "write"]];
const readsLabels: readonly Need[] = [
  ["issues", "read"],
  ["pull_requests", "read"],
];
const writesLabels: readonly Need[] = [
  ["issues", "write"],
  ["pull_requests", "write"],
];

const one = "/repos/{owner}/{repo}/pulls/{pull_number}";
const labels = "/repos/{owner}/{repo}/issues/{issue_number}/labels";

const Merge = z.object({ sha: z.string().optional() });
const Reviewers = z.object({ reviewers: z.array(z.string()).default(() => []) });
const Labels = z.union([z.object({ labels: z.array(z.string()) }), z.array(z.string())]);

export const pullRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/pulls",
    name: "list_open_pulls",
    isWrite: false,
    needs: reads,
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const path = `/repos/${repositoryName(asked)}/pulls`;
      return page(sight, asked, { items: listed(asked, pullsOf(sight, repository)), path, toBody: simplePullBody });
    },
  },
  {
    method: "GET",
    path: one,
    name: "get_pull",
    isWrite: false,
    needs: reads,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "pull_number");
      if (!/application\/vnd\.github(\.v3)?\.diff/.test(asked.accept)) return ok(await pullBody(pull));
      const diff = await readPullDiff(pull);
      const headers = { "content-type": "application/vnd.github.v3.diff; charset=utf-8" };
      return { status: 200, body: Buffer.from(diff?.bytes ?? new Uint8Array()), headers };
    },
  },
  {
    method: "GET",
    path: `${one}/files`,
    name: "list_files",
    isWrite: false,
    needs: reads,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "pull_number");
      const path = `/repos/${repositoryName(asked)}/pulls/${pull.entry.ref.number}/files`;
      return page(sight, asked, { items: await fileBodies(pull), path });
    },
  },
  {
    method: "PUT",
    path: `${one}/merge`,
    name: "merge_pull",
    isWrite: true,
    needs: [["contents", "write"]],
    async serve(sight, asked) {
      const { entry } = await writable(sight, asked);
      const { sha } = readBody(Merge, asked);
      const head = sha === undefined ? null : HeadSha.safeParse(sha);
      if (head !== null && !head.success) throw new EndpointRefusal(409, headMoved);
      const wanted = { by: sight.asker, head: head?.data ?? null, waits: "not" } as const;
      const commit = await applyMerge(sight.world, entry, wanted).catch(sayMoved);
      return ok({ sha: commit, merged: true, message: "Pull Request successfully merged" });
    },
  },
  {
    method: "POST",
    path: `${one}/requested_reviewers`,
    name: "request_reviewers",
    isWrite: true,
    needs: writes,
    async serve(sight, asked) {
      const { entry } = await writable(sight, asked);
      const reviewers = readBody(Reviewers, asked).reviewers.map((login) => {
        const account = findAccount(sight, login);
        if (account === undefined) {
          throw new Unprocessable(
            [],
            "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.",
          );
        }
        return account;
      });
      requestReviews(sight.world, entry, { by: sight.asker, reviewers });
      return created(simplePullBody({ sight, entry, state: newestOf(entry) }));
    },
  },
  {
    method: "GET",
    path: labels,
    name: "list_labels",
    isWrite: false,
    needs: readsLabels,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "issue_number");
      const { ref } = pull.entry;
      const path = `/repos/${repositoryName(asked)}/issues/${ref.number}/labels`;
      return page(sight, asked, {
        items: pull.state.labels,
        path,
        toBody: (name) => labelBody(sight, ref.repository, name),
      });
    },
  },
  {
    method: "POST",
    path: labels,
    name: "add_labels",
    isWrite: true,
    needs: writesLabels,
    async serve(sight, asked) {
      const wanted = readBody(Labels, asked);
      const added = "labels" in wanted ? wanted.labels : wanted;
      return await relabel(sight, asked, (known) => [...new Set([...known, ...added])]);
    },
  },
  {
    method: "DELETE",
    path: `${labels}/{name}`,
    name: "remove_label",
    isWrite: true,
    needs: writesLabels,
    async serve(sight, asked) {
      const name = param(asked.params, "name");
      return await relabel(sight, asked, (known) => {
        if (!known.includes(name)) throw new EndpointRefusal(404, "Label does not exist");
        return known.filter((each) => each !== name);
      });
    },
  },
];

const headMoved = "Head branch was modified. Review and try the merge again.";

function sayMoved(error: unknown): never {
  throw error instanceof EndpointRefusal && error.status === 409 ? new EndpointRefusal(409, headMoved) : error;
}

async function writable(sight: Sight, asked: Asked): Promise<PullSight> {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  const entry = entryOf(repository, numberParam(asked, "pull_number"));
  return { sight, entry, state: newestOf(entry) };
}

async function relabel(sight: Sight, asked: Asked, change: (known: readonly string[]) => readonly string[]) {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  const entry = entryOf(repository, numberParam(asked, "issue_number"));
  await editPull(sight.world, entry, { by: sight.asker, edit: { labels: change(newestOf(entry).labels) } });
  return ok(newestOf(entry).labels.map((name) => labelBody(sight, entry.ref.repository, name)));
}

/** Open ones unless asked otherwise, newest first, as the API does. */
function listed({ query }: Asked, pulls: readonly PullSight[]): readonly PullSight[] {
  const state = query.get("state") ?? "open";
  if (!["open", "closed", "all"].includes(state)) throw notFound();
  const head = query.get("head");
  const base = query.get("base");
  const chosen = pulls.filter(
    (pull) =>
      (state === "all" || (pull.state.state === "open") === (state === "open")) &&
      (base === null || pull.state.base.branch === base) &&
      (head === null || `${pull.state.author.login}:${pull.state.head.branch}` === head),
  );
  const sort = query.get("sort") ?? "created";
  const key = ({ state: { changedAt, createdAt } }: PullSight): number => (sort === "updated" ? changedAt : createdAt);
  const isUp = (query.get("direction") ?? (sort === "created" ? "desc" : "asc")) === "asc";
  return chosen.toSorted((one_, other) => {
    const order = key(one_) - key(other) || one_.entry.ref.number - other.entry.ref.number;
    return isUp ? order : -order;
  });
}
