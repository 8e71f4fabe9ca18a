import type { Account } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import { mainBranch } from "#forges/sandbox/push-branch.ts";
import { permissionIn, type Repository } from "#forges/sandbox/world.ts";
import { nodeId } from "#github-like/node-id.ts";
import { longAgo, userBody } from "#github-like/rest/user-body.ts";
import type { Sight } from "#github-like/sight.ts";

/** The addresses that every repository has, as templates below its own. */
const templates = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
} as const;

export function repositoryUrl({ url }: Pick<Sight, "url">, name: string): string {
  return `${url}/repos/${name}`;
}

/** As much as the forms `minimal-repository`, `repository` and `full-repository` want together. */
export function repositoryBody(sight: Sight, repository: Repository): object {
  const { ref } = repository;
  const open = [...repository.pulls.values()].length;
  return {
    ...placeBody(sight, { id: Number(ref.id), name: ref.name, owner: ownerOf(sight, repository), isFork: false }),
    open_issues: open,
    open_issues_count: open,
    network_count: 0,
    subscribers_count: 0,
    permissions: permissionsBody(sight, repository),
    // Where git itself is not served, the clone is wherever the sandbox's host has it.
    ...(!sight.hasGit && { clone_url: sight.world.host.remoteOf(ref.name).url }),
    allow_auto_merge: true,
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: true,
  };
}

/** The sandbox keeps the branches of forks in the repository itself; on the wire they have one of their own. */
export function forkBody(sight: Sight, repository: Repository, owner: Account): object {
  const [, name = ""] = repository.ref.name.split("/");
  const id = forkIdBase + Number(repository.ref.id) * 1000 + Number(owner.id);
  return {
    ...placeBody(sight, { id, name: `${owner.login}/${name}`, owner: userBody(sight, owner), isFork: true }),
    open_issues: 0,
    open_issues_count: 0,
  };
}

/** Beyond the ids that the sandbox gives. */
const forkIdBase = 900_000_000;

interface Named {
  readonly id: number;
  readonly name: string;
  readonly owner: object;
  readonly isFork: boolean;
}

function placeBody(sight: Sight, { id, name: full, owner, isFork }: Named): object {
  const at = repositoryUrl(sight, full);
  const html = `${sight.url}/${full}`;
  const [, name = ""] = full.split("/");
  return {
    id,
    node_id: nodeId("R", id),
    name,
    full_name: full,
    owner,
    private: true,
    html_url: html,
    description: null,
    fork: isFork,
    url: at,
    ...Object.fromEntries(Object.entries(templates).map(([key, end]) => [key, at + end])),
    clone_url: `${html}.git`,
    git_url: `git://localhost/${full}.git`,
    ssh_url: `git@localhost:${full}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    size: 0,
    default_branch: mainBranch,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: "private",
    license: null,
    pushed_at: longAgo,
    created_at: longAgo,
    updated_at: longAgo,
  };
}

const organisationIdBase = 800_000_000;

/** The account of that login if there is one, else an organisation that nobody can act as. */
export function ownerOf(sight: Sight, { ref }: Repository): object {
  const [login = ""] = ref.name.split("/");
  const known = [...sight.world.accounts.values()].find((account) => account.login === login);
  if (known !== undefined) return userBody(sight, known);
  const made = { id: AccountId.parse(String(organisationIdBase + Number(ref.id))), login, kind: "person" } as const;
  return { ...userBody(sight, made), type: "Organization" };
}

function permissionsBody({ asker }: Sight, repository: Repository): object {
  const permission = permissionIn(repository, asker);
  const mayPush = permission === "write" || permission === "admin";
  return {
    admin: permission === "admin",
    maintain: permission === "admin",
    push: mayPush,
    triage: mayPush,
    pull: true,
  };
}
