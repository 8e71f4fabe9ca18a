import type { HeadSha } from "#core/model/ids.ts";
import type { CommitMade, Repository } from "#forges/sandbox/world.ts";
import { repositoryUrl } from "#gitea-like/rest/repository-body.ts";
import { longAgo, never } from "#gitea-like/rest/user-body.ts";
import type { Sight } from "#gitea-like/sight.ts";

/** What the head has and the base has not, the newest first; of what came by git alone the sandbox knows the head. */
export async function commitBodies(
  sight: Sight,
  repository: Repository,
  { base, head }: { readonly base: HeadSha; readonly head: HeadSha },
): Promise<readonly object[]> {
  const { host } = sight.world;
  const found: object[] = [];
  let commit: HeadSha | undefined = head;
  while (commit !== undefined) {
    if (await host.isAncestor({ repository: repository.ref.name, older: commit, newer: base })) break;
    const made: CommitMade | undefined = repository.commits.get(commit);
    found.push(commitBody(sight, repository, { sha: commit, made }));
    commit = made?.parent;
  }
  return found;
}

/** Nobody here knows the time of a commit. */
export function commitBody(
  sight: Sight,
  { ref }: Repository,
  { sha, made }: { readonly sha: HeadSha; readonly made: CommitMade | undefined },
): object {
  const api = `${repositoryUrl(sight, ref.name)}/git`;
  const person = { name: "somebody", email: "somebody@example.com", date: longAgo };
  return {
    url: `${api}/commits/${sha}`,
    sha,
    created: longAgo,
    html_url: `${sight.url}/${ref.name}/commit/${sha}`,
    commit: {
      url: `${api}/commits/${sha}`,
      author: person,
      committer: person,
      message: `${made?.message ?? ""}\n`,
      tree: { url: `${api}/trees/${sha}`, sha, created: longAgo },
      verification: {
        verified: false,
        reason: "gpg.error.not_signed_commit",
        signature: "",
        signer: null,
        payload: "",
      },
    },
    author: null,
    committer: null,
    parents:
      made?.parent === undefined ? [] : [{ url: `${api}/commits/${made.parent}`, sha: made.parent, created: never }],
    files: Object.keys(made?.changes ?? {}).map((filename) => ({ filename, status: "modified" })),
    stats: { total: 0, additions: 0, deletions: 0 },
  };
}
