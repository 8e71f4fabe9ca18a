import type { Account } from "#core/model/account.ts";
import type { Comment } from "#core/model/conversation.ts";
import type { HeadSha, ReviewId, ThreadId } from "#core/model/ids.ts";
import { type Endpoint, type EndpointCall, pullOf, seenPull } from "#forges/sandbox/call-endpoint.ts";
import { isPending, isVisibleTo, type ReviewState, type ThreadState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { latestStatuses } from "#forges/sandbox/report-status.ts";
import {
  wireCheckRun,
  wireComment,
  wirePull,
  wireReaction,
  wireRequests,
  wireReview,
  wireStatus,
} from "#forges/sandbox/to-wire.ts";
import type {
  WireCheckRun,
  WireComment,
  WirePage,
  WirePermission,
  WirePull,
  WireReaction,
  WireReview,
  WireReviewComment,
  WireStatus,
  WireThread,
  WireThreadComment,
  WireTimelineEntry,
} from "#forges/sandbox/wire.ts";
import { wireUser } from "#forges/sandbox/wire-user.ts";
import { permissionIn } from "#forges/sandbox/world.ts";
import type { Remote } from "#ports/git.ts";

interface InPull {
  readonly number: number;
}

interface PageOf extends InPull {
  readonly page: number;
}

export const getPull = read<InPull, WirePull>("get_pull", (call, { number }) =>
  wirePull(call, pullOf(call, number), seenPull(call, number)),
);

export const listComments = read<PageOf, WirePage<WireComment>>("list_comments", (call, { number, page }) =>
  toWirePage(call, seenPull(call, number).comments, page, (comment) => wireComment(call.world, comment)),
);

export const listReviewsEndpoint = read<PageOf, WirePage<WireReview>>("list_reviews", (call, { number, page }) => {
  const pull = seenPull(call, number);
  const { world } = call;
  const shown = pull.reviews.filter((review) => isShown(call, review));
  const reviews = shown.map((review) => wireReview(world, pull, review));
  return toWirePage(
    call,
    world.manner === "gitea" ? [...reviews, ...wireRequests(world, pull)] : reviews,
    page,
    (review) => review,
  );
});

export const getReview = read<InPull & { readonly review: ReviewId }, WireReview>(
  "get_review",
  (call, { number, review: id }) => {
    const pull = seenPull(call, number);
    const review = pull.reviews.find((candidate) => candidate.id === id && isShown(call, candidate));
    if (review === undefined) throw notFound();
    return wireReview(call.world, pull, review);
  },
);

/** GitHub alone. */
export const listReviewThreads = read<PageOf, WirePage<WireThread>>("list_review_threads", (call, { number, page }) => {
  const pull = seenPull(call, number);
  const threads = pull.threads.filter((thread) => isVisibleTo(pull, thread, call.asker));
  return toWirePage(call, threads, page, (thread) => ({
    id: thread.id,
    path: thread.path,
    line: thread.line,
    diff_side: thread.side === "old" ? "LEFT" : "RIGHT",
    original_line: thread.remarked.lines.last,
    original_start_line:
      thread.remarked.lines.first === thread.remarked.lines.last ? null : thread.remarked.lines.first,
    original_commit: thread.remarked.commit,
    diff_hunk: thread.remarked.hunk,
    is_resolved: thread.isResolved,
    comments: threadComments(call, { number, thread, page: 1 }),
  }));
});

/** GitHub alone. */
export const listThreadComments = read<PageOf & { readonly thread: ThreadId }, WirePage<WireThreadComment>>(
  "list_thread_comments",
  (call, { number, thread: id, page }) => {
    const pull = seenPull(call, number);
    const thread = pull.threads.find((candidate) => candidate.id === id && isVisibleTo(pull, candidate, call.asker));
    if (thread === undefined) throw notFound();
    return threadComments(call, { number, thread, page });
  },
);

function threadComments(
  call: EndpointCall,
  { number, thread, page }: { readonly number: number; readonly thread: ThreadState; readonly page: number },
): WirePage<WireThreadComment> {
  const review = seenPull(call, number).reviews.find((candidate) => candidate.id === thread.review);
  const is_pending = review !== undefined && isPending(review);
  return toWirePage(call, thread.comments, page, (comment) => {
    const { id, user, body, created_at, updated_at } = wireComment(call.world, comment);
    return { id, user, body, created_at, updated_at, is_pending };
  });
}

/** Gitea alone: there is no list over all reviews. */
export const listReviewComments = read<InPull & { readonly review: ReviewId }, readonly WireReviewComment[]>(
  "list_review_comments",
  (call, { number, review }) => {
    const found: WireReviewComment[] = [];
    for (const thread of seenPull(call, number).threads) {
      if (thread.review !== review) continue;
      for (const comment of thread.comments) found.push(reviewComment(call, thread, comment));
    }
    return found;
  },
);

function reviewComment({ world, asker }: EndpointCall, thread: ThreadState, comment: Comment): WireReviewComment {
  const { id, user, body, created_at, updated_at } = wireComment(world, comment);
  const resolver = thread.isResolved ? wireUser(world, asker) : null;
  const { id: conversation, path, side, line, remarked } = thread;
  return {
    id,
    user,
    body,
    created_at,
    updated_at,
    conversation,
    path,
    position: side === "new" ? (line ?? 0) : 0,
    original_position: side === "old" ? (line ?? 0) : 0,
    diff_hunk: remarked.hunk,
    resolver,
  };
}

/** Gitea alone. The texts of reviews are those of now. */
export const listTimeline = read<PageOf, WirePage<WireTimelineEntry>>("list_timeline", (call, { number, page }) => {
  const { comments, reviews } = seenPull(call, number);
  const entries: readonly WireTimelineEntry[] = [
    ...comments.map(({ id, body }) => ({ type: "comment", id, review_id: null, body }) as const),
    ...reviews
      .filter((review) => !isPending(review))
      .map(({ id, bodyComment, body }) => ({ type: "review", id: bodyComment, review_id: id, body }) as const),
  ];
  return toWirePage(call, entries, page, (entry) => entry);
});

export const listReactions = read<PageOf, WirePage<WireReaction>>("list_reactions", (call, { number, page }) =>
  toWirePage(call, seenPull(call, number).reactions, page, (reaction) => wireReaction(call.world, reaction)),
);

interface OnCommit {
  readonly commit: HeadSha;
  readonly page: number;
}

export const listStatuses = read<OnCommit, WirePage<WireStatus>>("list_statuses", (call, { commit, page }) => {
  const statuses = latestStatuses(call.repository.statuses.get(commit) ?? [], call.at);
  const plain = statuses.filter((status) => status.form === "status");
  return toWirePage(call, plain, page, (status) => wireStatus(call.world, status));
});

/** GitHub alone. */
export const listCheckRuns = read<OnCommit, WirePage<WireCheckRun>>("list_check_runs", (call, { commit, page }) => {
  const statuses = latestStatuses(call.repository.statuses.get(commit) ?? [], call.at);
  const runs = statuses.filter((status) => status.form === "check_run");
  return toWirePage(call, runs, page, (status) => wireCheckRun(call.world, status));
});

/** Gitea tells it to admins, and to everybody about themselves. */
export const getPermission = read<Account, WirePermission>("get_permission", (call, account) => {
  const { world, asker, repository } = call;
  if (!world.accounts.has(account.id)) throw notFound();
  const mayKnow = asker.id === account.id || permissionIn(repository, asker) === "admin";
  if (world.quirks.hidesPermissions && !mayKnow)
    throw new EndpointRefusal(403, "Only admins can query all permissions");
  return permissionIn(repository, account);
});

/** Its owner counts as the author of pushes that come without a name. */
export const createGitAccess = read<null, Remote>("create_git_access", ({ world, asker, repository }) => {
  repository.lastGivenTo = asker;
  return world.host.remoteOf(repository.ref.name);
});

function read<Params, Body>(name: string, serve: Endpoint<Params, Body>["serve"]): Endpoint<Params, Body> {
  return { name, isWrite: false, serve };
}

function isShown({ asker }: EndpointCall, review: ReviewState): boolean {
  return !isPending(review) || review.author.id === asker.id;
}

export function toWirePage<Item, Wire>(
  { world }: EndpointCall,
  items: readonly Item[],
  page: number,
  toWire: (item: Item) => Wire,
): WirePage<Wire> {
  const { pageSize } = world.quirks;
  const end = page * pageSize;
  return { items: items.slice(end - pageSize, end).map(toWire), hasNext: items.length > end };
}
