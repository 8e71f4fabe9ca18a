import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import {
  branchRef,
  type CommitMade,
  findTip,
  mayWrite,
  newestOf,
  type PullEntry,
  type Repository,
  type World,
} from "#forges/sandbox/world.ts";
import type { HostChanges } from "#ports/git-host.ts";

export const mainBranch = "main";

export interface BranchPush {
  readonly by: Account;
  readonly branch: string;
  readonly changes: HostChanges;
  readonly message: string;
  readonly from?: HeadSha;
}

/** An account that may not write pushes to its fork, and not to `main`. */
export async function pushBranch(world: World, repository: Repository, push: BranchPush): Promise<HeadSha> {
  const { by, branch, changes, message, from } = push;
  checkMayPush(repository, push);
  const parent = findTip(repository, branch) ?? from ?? findTip(repository, mainBranch);
  const commit = await commitOn(world, repository, { by, made: { parent, changes, message } });
  await moveBranch(world, repository, { by, branch, to: commit });
  return commit;
}

export async function pushForced(
  world: World,
  repository: Repository,
  push: { readonly by: Account; readonly branch: string; readonly to: HeadSha },
): Promise<void> {
  checkMayPush(repository, push);
  await moveBranch(world, repository, push);
}

/** Only what people committed by hand can be put elsewhere. */
export async function rebaseBranch(world: World, entry: PullEntry, by: Account): Promise<HeadSha> {
  const { repository } = entry;
  const { head, base } = newestOf(entry);
  checkMayPush(repository, { by, branch: head.branch });
  let tip = base.tip;
  for (const made of await findOwnCommits(world, entry)) {
    tip = await commitOn(world, repository, { by, made: { ...made, parent: tip } });
  }
  await moveBranch(world, repository, { by, branch: head.branch, to: tip });
  return tip;
}

async function findOwnCommits({ host }: World, entry: PullEntry): Promise<readonly CommitMade[]> {
  const { repository } = entry;
  const { head, base } = newestOf(entry);
  const found: CommitMade[] = [];
  let commit: HeadSha | undefined = head.sha;
  while (commit !== undefined) {
    if (await host.isAncestor({ repository: repository.ref.name, older: commit, newer: base.tip })) break;
    const made: CommitMade | undefined = repository.commits.get(commit);
    if (made === undefined) throw new Error(`${commit} was not committed by a person here, so it cannot be rebased`);
    found.unshift(made);
    commit = made.parent;
  }
  return found;
}

export async function commitOn(
  { host, now }: World,
  repository: Repository,
  { by, made }: { readonly by: Account; readonly made: CommitMade },
): Promise<HeadSha> {
  const { parent, changes, message } = made;
  const commit = await host.commit({
    repository: repository.ref.name,
    parents: parent === undefined ? [] : [parent],
    changes,
    message,
    author: { name: by.login, email: `${by.login}@localhost` },
    at: now(),
  });
  repository.commits.set(commit, made);
  return commit;
}

export async function moveBranch(
  world: World,
  repository: Repository,
  { by, branch, to }: { readonly by: Account; readonly branch: string; readonly to: HeadSha },
): Promise<void> {
  await world.host.setRef({ repository: repository.ref.name, ref: branchRef(branch), to });
  await detectPushes(world, repository, by);
}

function checkMayPush(repository: Repository, { by, branch }: Pick<BranchPush, "by" | "branch">): void {
  if (branch === mainBranch && !mayWrite(repository, by))
    throw new EndpointRefusal(403, `${by.login} may not push to ${branch}`);
}
