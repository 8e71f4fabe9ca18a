import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import { time } from "#forge-like/time.ts";
import type { StatusState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { reportStatus } from "#forges/sandbox/report-status.ts";
import { findTip, mayWrite, type Repository } from "#forges/sandbox/world.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import { linkHeader, page, pagingOf, slice, totalHeader } from "#gitea-like/rest/page.ts";
import { repositoryBody, repositoryUrl } from "#gitea-like/rest/repository-body.ts";
import {
  type Asked,
  created,
  param,
  type Route,
  readBody,
  repositoryAsked,
  type Said,
} from "#gitea-like/rest/route.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import type { Sight } from "#gitea-like/sight.ts";

const ofCommit = "/repos/{owner}/{repo}/statuses/{sha}";
const ofRef = "/repos/{owner}/{repo}/commits/{ref}";

const Status = z.object({
  state: z.string().default(""),
  context: z.string().default(""),
  description: z.string().default(""),
  target_url: z.string().default(""),
});

export const statusRoutes: readonly Route[] = [
  {
    method: "POST",
    path: ofCommit,
    name: "create_status",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      if (!mayWrite(repository, sight.asker))
        throw new EndpointRefusal(403, "user should have a permission to write to a repo");
      return created(statusBody(sight, repository, await report(sight, repository, asked)));
    },
  },
  {
    method: "GET",
    path: ofCommit,
    name: "list_statuses",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      return list(sight, asked, { repository, commit: HeadSha.safeParse(param(asked.params, "sha")).data });
    },
  },
  {
    method: "GET",
    path: `${ofRef}/statuses`,
    name: "list_statuses_of_ref",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      return list(sight, asked, { repository, commit: await commitAt(sight, repository, param(asked.params, "ref")) });
    },
  },
  {
    method: "GET",
    path: `${ofRef}/status`,
    name: "get_combined_status",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      const commit = await commitAt(sight, repository, param(asked.params, "ref"));
      return combined(sight, asked, { repository, commit });
    },
  },
];

/** A commit that nobody has is an error of the server's own there. */
async function report(sight: Sight, repository: Repository, asked: Asked): Promise<StatusState> {
  const { state: word, context, description, target_url } = readBody(Status, asked);
  const commit = HeadSha.safeParse(param(asked.params, "sha")).data;
  const { host } = sight.world;
  const isKnown =
    commit !== undefined && (await host.findTree({ repository: repository.ref.name, commit })) !== undefined;
  if (commit === undefined || !isKnown) throw new EndpointRefusal(500, "object does not exist");
  const made = await reportStatus(sight.world, repository, {
    form: "status",
    name: context === "" ? "default" : context,
    by: sight.asker,
    commit,
    state: states.get(word) ?? "pending",
    words: description,
    isGate: true,
  });
  sight.extras.statuses.set(made, { word, targetUrl: target_url });
  return made;
}

const states: ReadonlyMap<string, StatusState["state"]> = new Map([
  ["success", "passed"],
  ["failure", "failed"],
  ["error", "failed"],
  ["warning", "failed"],
  ["skipped", "passed"],
]);

const wordsOf = { pending: "pending", passed: "success", neutral: "success", failed: "failure" } as const;

interface OnCommit {
  readonly repository: Repository;
  readonly commit: HeadSha | undefined;
}

/** The oldest first. */
function statusesOf(sight: Sight, { repository, commit }: OnCommit): readonly StatusState[] {
  const all = commit === undefined ? [] : (repository.statuses.get(commit) ?? []);
  return all.filter(({ at, form }) => form === "status" && at <= sight.at);
}

/** Everything that was ever said, the newest first. */
function list(sight: Sight, asked: Asked, on: OnCommit): Promise<Said> {
  const toBody = (status: StatusState): object => statusBody(sight, on.repository, status);
  return page(sight, asked, { items: statusesOf(sight, on).toReversed(), toBody, hasLinks: true });
}

/** The last word under each name, whoever said it. */
function combined(sight: Sight, asked: Asked, on: OnCommit & { readonly commit: HeadSha }): Said {
  const { repository, commit } = on;
  const latest = [...new Map(statusesOf(sight, on).map((status) => [status.name, status])).values()];
  const numbered = latest.toSorted((one, other) => other.at - one.at);
  const paging = pagingOf(sight, asked);
  const shown = slice(numbered, paging);
  const total = latest.length;
  const repo = repositoryBody(sight, repository);
  const url = `${repositoryUrl(sight, repository.ref.name)}/commits/${commit}`;
  const links = sight.version.isFrom(26) ? linkHeader(sight, asked, { ...paging, total }) : {};
  return {
    status: 200,
    body: {
      state: worst(sight, shown),
      sha: commit,
      // Of this page.
      total_count: shown.length,
      statuses: shown.length === 0 ? null : shown.map((status) => statusBody(sight, repository, status)),
      repository: repo,
      commit_url: url,
      url: `${url}/status`,
    },
    headers: { ...totalHeader(total), ...links },
  };
}

function worst({ version, extras }: Sight, statuses: readonly StatusState[]): string {
  if (statuses.length === 0) return version.isFrom(26) ? "pending" : "";
  const words = statuses.map((status) => wordOf(extras, status));
  if (words.some((word) => word === "failure" || word === "error" || word === "warning")) return "failure";
  return words.every((word) => word === "success" || word === "skipped") ? "success" : "pending";
}

function wordOf({ statuses }: Sight["extras"], status: StatusState): string {
  return statuses.get(status)?.word ?? wordsOf[status.state];
}

/** What it says is called `status` here, and `state` where it is made. Its number counts on its commit. */
function statusBody(sight: Sight, repository: Repository, status: StatusState): object {
  const { commit, name, by, words, at } = status;
  return {
    id: (repository.statuses.get(commit) ?? []).indexOf(status) + 1,
    status: wordOf(sight.extras, status),
    target_url: sight.extras.statuses.get(status)?.targetUrl ?? "",
    description: words,
    url: `${repositoryUrl(sight, repository.ref.name)}/statuses/${commit}`,
    context: name,
    creator: userBody(sight, by),
    created_at: time(at),
    updated_at: time(at),
  };
}

/** A branch, or a commit that there is. */
export async function commitAt({ world }: Sight, repository: Repository, ref: string): Promise<HeadSha> {
  const commit = findTip(repository, ref.replace(/^refs\/heads\//, "")) ?? HeadSha.safeParse(ref).data;
  const name = repository.ref.name;
  if (commit !== undefined && (await world.host.findTree({ repository: name, commit })) !== undefined) return commit;
  throw new NotFound(`object does not exist [id: ${ref}, rel_path: ]`);
}
