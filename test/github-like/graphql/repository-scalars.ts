import { mainBranch } from "#forges/sandbox/push-branch.ts";
import { findTip, permissionIn, type Repository } from "#forges/sandbox/world.ts";
import type { View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import { longAgo } from "#github-like/rest/user-body.ts";
import type { Sight } from "#github-like/sight.ts";

/** A repository without its lists. */
export function repositoryScalars({ url, asker }: Sight, repository: Repository): View {
  const { ref } = repository;
  const [owner = "", name = ""] = ref.name.split("/");
  return {
    __typename: "Repository",
    id: nodeId("R", ref.id),
    databaseId: Number(ref.id),
    name,
    nameWithOwner: ref.name,
    owner: { __typename: "Organization", id: nodeId("U", owner), login: owner, url: `${url}/${owner}` },
    url: `${url}/${ref.name}`,
    isPrivate: true,
    isFork: false,
    isArchived: false,
    isDisabled: false,
    isLocked: false,
    visibility: "PRIVATE",
    createdAt: longAgo,
    updatedAt: longAgo,
    pushedAt: longAgo,
    autoMergeAllowed: true,
    mergeCommitAllowed: true,
    squashMergeAllowed: true,
    rebaseMergeAllowed: true,
    viewerPermission: permissionIn(repository, asker).toUpperCase(),
    defaultBranchRef: () => {
      const tip = findTip(repository, mainBranch);
      return tip === undefined ? null : refView(repository, mainBranch, tip);
    },
  };
}

export function refView({ ref }: Repository, branch: string, oid: string): View {
  return {
    __typename: "Ref",
    id: nodeId("R", ref.id, branch),
    name: branch,
    prefix: "refs/heads/",
    target: { __typename: "Commit", id: nodeId("C", ref.id, oid), oid, abbreviatedOid: oid.slice(0, 7) },
  };
}
