import { z } from "zod";
import { readPullDiff } from "#forge-like/pull-diff.ts";
import { editPull } from "#forges/sandbox/edit-pull.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { newestOf, stateAt } from "#forges/sandbox/world.ts";
import { requestReviews } from "#forges/sandbox/write-endpoints.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import { commitBodies } from "#gitea-like/rest/commit-body.ts";
import { fileBodies } from "#gitea-like/rest/file-body.ts";
import { issueBody } from "#gitea-like/rest/issue-body.ts";
import { page } from "#gitea-like/rest/page.ts";
import { listedPullBody, pullBody } from "#gitea-like/rest/pull-body.ts";
import { requestBody } from "#gitea-like/rest/review-body.ts";
import {
  type Asked,
  created,
  nothing,
  ok,
  param,
  pullAsked,
  type Route,
  readBody,
  repositoryAsked,
} from "#gitea-like/rest/route.ts";
import { findAccount } from "#gitea-like/rest/user-body.ts";
import { type PullSight, pullsOf, type Sight } from "#gitea-like/sight.ts";

const all = "/repos/{owner}/{repo}/pulls";
const one = `${all}/{index}`;

const Edit = z.object({
  title: z.string().optional(),
  body: z.string().optional(),
  base: z.string().optional(),
  state: z.enum(["open", "closed"]).optional(),
});
const Reviewers = z.object({ reviewers: z.array(z.string()).default(() => []) });

export const pullRoutes: readonly Route[] = [
  {
    method: "GET",
    path: all,
    name: "list_open_pulls",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const items = chosen(asked, pullsOf(sight, await repositoryAsked(sight, asked)));
      return page(sight, asked, { items, toBody: listedPullBody, hasLinks: true });
    },
  },
  {
    method: "GET",
    path: one,
    name: "get_pull",
    isWrite: false,
    scope: "repository",
    serve: async (sight, asked) => ok(await pullBody(await pullAsked(sight, asked))),
  },
  {
    method: "GET",
    path: `${one}.{diffType}`,
    name: "get_pull_diff",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const diff = await readPullDiff(await pullAsked(sight, asked));
      if (diff === undefined || param(asked.params, "diffType") !== "diff") throw new NotFound();
      return { status: 200, body: Buffer.from(diff.bytes), headers: { "content-type": "text/plain;charset=utf-8" } };
    },
  },
  {
    method: "PATCH",
    path: one,
    name: "edit_pull",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      const { entry } = await pullAsked(sight, asked);
      const { title, body, base, state } = readBody(Edit, asked);
      const edit = {
        ...(title !== undefined && title !== "" && { title, isDraft: false }),
        ...(body !== undefined && { body }),
        ...(base !== undefined && base !== "" && { base }),
        ...(state !== undefined && { state }),
      };
      await editPull(sight.world, entry, { by: sight.asker, edit });
      return created(await pullBody({ sight, entry, state: newestOf(entry) }));
    },
  },
  {
    method: "GET",
    path: `${one}/files`,
    name: "list_files",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const items = await fileBodies(await pullAsked(sight, asked));
      return page(sight, asked, { items, toBody: (file) => file, hasLinks: true });
    },
  },
  {
    method: "GET",
    path: `${one}/commits`,
    name: "list_commits",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const { entry, state } = await pullAsked(sight, asked);
      const between = { base: state.base.tip, head: state.head.sha };
      const items = await commitBodies(sight, entry.repository, between);
      return page(sight, asked, { items, toBody: (commit) => commit, hasLinks: true });
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{index}",
    name: "get_issue",
    isWrite: false,
    scope: "issue",
    serve: async (sight, asked) => ok(issueBody(await pullAsked(sight, asked))),
  },
  {
    method: "POST",
    path: `${one}/requested_reviewers`,
    name: "request_reviewers",
    isWrite: true,
    scope: "repository",
    serve: async (sight, asked) => created(ask(await pullAsked(sight, asked), asked)),
  },
  {
    method: "DELETE",
    path: `${one}/requested_reviewers`,
    name: "unrequest_reviewers",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      unask(await pullAsked(sight, asked), asked);
      return nothing;
    },
  },
];

/** The newest first, unless asked otherwise. */
function chosen({ query }: Asked, pulls: readonly PullSight[]): readonly PullSight[] {
  const state = query.get("state") ?? "open";
  const found = pulls.filter((pull) => state === "all" || (pull.state.state === "open") === (state === "open"));
  const order = orders.get(query.get("sort") ?? "");
  return order === undefined ? found.toReversed() : found.toSorted(order);
}

const orders: ReadonlyMap<string, (one: PullSight, other: PullSight) => number> = new Map([
  ["oldest", (pull, other) => pull.entry.ref.number - other.entry.ref.number],
  ["recentupdate", (pull, other) => other.state.changedAt - pull.state.changedAt],
  ["leastupdate", (pull, other) => pull.state.changedAt - other.state.changedAt],
  ["mostcomment", (pull, other) => other.state.comments.length - pull.state.comments.length],
  ["leastcomment", (pull, other) => pull.state.comments.length - other.state.comments.length],
]);

/** Only those who were not asked yet are told. */
function ask({ sight, entry }: PullSight, asked: Asked): readonly object[] {
  const before = new Set(newestOf(entry).requests.map(({ id }) => id));
  const reviewers = accounts(sight, asked);
  requestReviews(sight.world, entry, { by: sight.asker, reviewers });
  const state = stateAt(entry, sight.world.now()) ?? newestOf(entry);
  const pull = { sight, entry, state };
  return state.requests.filter(({ id }) => !before.has(id)).map((request) => requestBody(pull, request));
}

function unask({ sight, entry }: PullSight, asked: Asked): void {
  const named = new Set(accounts(sight, asked).map(({ id }) => id));
  const { requests } = newestOf(entry);
  const left = requests.filter(({ of }) => !named.has(of.id));
  if (left.length === requests.length) return;
  const what = { kind: "review_requested", of: [] } as const;
  recordPullChange(sight.world, entry, { by: sight.asker, what, next: { requests: left }, moves: "changedAt" });
}

function accounts(sight: Sight, asked: Asked) {
  return readBody(Reviewers, asked).reviewers.map((login) => {
    const account = findAccount(sight, login);
    if (account === undefined) throw new EndpointRefusal(404, `user doesn't exist: ${login}`);
    return account;
  });
}
