import { actorView } from "#github-like/graphql/actor-view.ts";
import { issueCommentView, reviewCommentView, reviewView, threadView } from "#github-like/graphql/comment-view.ts";
import { mustBeAllowed } from "#github-like/graphql/graphql-error.ts";
import { pullView } from "#github-like/graphql/pull-view.ts";
import { repositoryView } from "#github-like/graphql/repository-view.ts";
import type { View } from "#github-like/graphql/view.ts";
import { type Node, readNodeId } from "#github-like/node-id.ts";
import { visibleThreads } from "#github-like/rest/comment-body.ts";
import { shownReviews } from "#github-like/rest/review-routes.ts";
import { findPull, findRepository, type PullSight, type Sight } from "#github-like/sight.ts";

/** Whatever has an id; undefined for what is not there, or not for this asker. */
export async function findNode(sight: Sight, id: string): Promise<View | undefined> {
  const node = readNodeId(id);
  if (node === undefined) return undefined;
  if (node.kind === "U" || node.kind === "BOT") {
    const account = [...sight.world.accounts.values()].find((candidate) => candidate.id === node.path[0]);
    return account === undefined ? undefined : actorView(sight, account);
  }
  if (node.kind === "R") {
    const [repositoryId] = node.path;
    const known = [...sight.world.repositories.values()].find(({ ref }) => ref.id === repositoryId);
    const repository = known === undefined ? undefined : await findRepository(sight, known.ref.name);
    return repository === undefined ? undefined : repositoryView(sight, repository);
  }
  const pull = await findPullOf(sight, node);
  mustBeAllowed(sight, [["pull_requests", "read"]]);
  return pull === undefined ? undefined : findInPull(pull, node);
}

/** The pull that a node belongs to: ids of what hangs on a pull begin with its repository and number. */
export async function findPullOf(sight: Sight, { path: [repositoryId, number] }: Node): Promise<PullSight | undefined> {
  const known = [...sight.world.repositories.values()].find(({ ref }) => ref.id === repositoryId);
  const repository = known === undefined ? undefined : await findRepository(sight, known.ref.name);
  return repository === undefined ? undefined : findPull(sight, repository, Number(number));
}

function findInPull(pull: PullSight, { kind, path }: Node): View | undefined {
  const [, , thing] = path;
  if (kind === "PR") return pullView(pull);
  if (kind === "IC") {
    const comment = pull.state.comments.find(({ id }) => id === thing);
    return comment === undefined ? undefined : issueCommentView(pull, comment);
  }
  if (kind === "PRR") {
    const review = shownReviews(pull).find(({ id }) => id === thing);
    return review === undefined ? undefined : reviewView(pull, review);
  }
  for (const thread of visibleThreads(pull)) {
    if (kind === "PRRT" && thread.id === thing) return threadView(pull, thread);
    const comment = kind === "PRRC" ? thread.comments.find(({ id }) => id === thing) : undefined;
    if (comment !== undefined) return reviewCommentView(pull, thread, comment);
  }
  return undefined;
}
