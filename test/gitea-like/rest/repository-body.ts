import type { Account } from "#core/model/account.ts";
import { permissionIn, type Repository } from "#forges/sandbox/world.ts";
import { findAccount, longAgo, never, userBody } from "#gitea-like/rest/user-body.ts";
import type { Sight } from "#gitea-like/sight.ts";

/** In the API. */
export function repositoryUrl({ url }: Pick<Sight, "url">, name: string): string {
  return `${url}/api/v1/repos/${name}`;
}

export interface RepositoryBody extends Readonly<Record<string, unknown>> {
  readonly id: number;
}

export function repositoryBody(sight: Sight, repository: Repository): RepositoryBody {
  const { ref } = repository;
  const [owner = "", name = ""] = ref.name.split("/");
  const api = repositoryUrl(sight, ref.name);
  const isOpen = [...repository.pulls.values()].filter(({ versions }) => versions.at(-1)?.state.state === "open");
  return {
    id: Number(ref.id),
    owner: ownerBody(sight, owner),
    name,
    full_name: ref.name,
    description: "",
    empty: false,
    private: false,
    fork: false,
    template: false,
    mirror: false,
    size: 25,
    language: "",
    languages_url: `${api}/languages`,
    html_url: `${sight.url}/${ref.name}`,
    url: api,
    link: "",
    ssh_url: `git@localhost:${ref.name}.git`,
    clone_url: `${sight.url}/${ref.name}.git`,
    original_url: "",
    website: "",
    stars_count: 0,
    forks_count: 0,
    watchers_count: 1,
    ...(sight.version.isFrom(26) && { branch_count: repository.tips.size }),
    open_issues_count: 0,
    open_pr_counter: isOpen.length,
    release_counter: 0,
    default_branch: "main",
    archived: sight.extras.archived.has(ref.id),
    created_at: longAgo,
    updated_at: longAgo,
    archived_at: "1970-01-01T00:00:00Z",
    permissions: permissionsBody(permissionIn(repository, sight.asker)),
    ...units,
    ...mergeStyles,
    ...laterFields(sight),
    avatar_url: "",
    internal: false,
    mirror_interval: "",
    mirror_updated: never,
  };
}

/** Whoever may not write has a fork, which the sandbox keeps in the same place: it is told as what it would be. */
export function forkBody(sight: Sight, repository: Repository, owner: Account): RepositoryBody {
  const parent = repositoryBody(sight, repository);
  const [, name = ""] = repository.ref.name.split("/");
  const full = `${owner.login}/${name}`;
  return {
    ...parent,
    id: parent.id * 100_000 + Number(owner.id),
    owner: userBody(sight, owner),
    full_name: full,
    fork: true,
    parent,
    html_url: `${sight.url}/${full}`,
    url: repositoryUrl(sight, full),
    clone_url: `${sight.url}/${full}.git`,
  };
}

function ownerBody(sight: Sight, login: string): object | null {
  const owner: Account | undefined = findAccount(sight, login);
  return owner === undefined ? null : userBody(sight, owner);
}

/** What came with some version; what there was none of used to be written as null. */
function laterFields({ version }: Sight): object {
  return {
    ...(version.isFrom(22)
      ? { object_format_name: "sha1", projects_mode: "all", allow_fast_forward_only_merge: true }
      : { parent: null, repo_transfer: null }),
    ...(version.isFrom(24) && {
      topics: [],
      licenses: [],
      has_code: true,
      allow_manual_merge: false,
      autodetect_manual_merge: false,
    }),
    ...(version.isFrom(26) && { allow_merge_update: true, default_update_style: "merge", mirror_last_sync_at: never }),
  };
}

function permissionsBody(permission: string): object {
  return { admin: permission === "admin", push: permission === "admin" || permission === "write", pull: true };
}

const units = {
  has_issues: true,
  internal_tracker: {
    enable_time_tracker: true,
    allow_only_contributors_to_track_time: true,
    enable_issue_dependencies: true,
  },
  has_wiki: true,
  has_pull_requests: true,
  has_projects: true,
  has_releases: true,
  has_packages: true,
  has_actions: false,
} as const;

/** What a new repository allows. */
const mergeStyles = {
  ignore_whitespace_conflicts: false,
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_squash_merge: true,
  allow_rebase_update: true,
  default_delete_branch_after_merge: false,
  default_merge_style: "merge",
  default_allow_maintainer_edit: false,
} as const;
