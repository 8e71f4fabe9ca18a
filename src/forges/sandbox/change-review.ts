import type { Account } from "#core/model/account.ts";
import { type ReviewId, type ThreadId, Untrusted } from "#core/model/ids.ts";
import { isPending, type ReviewState, replaceItem } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { mayWrite, newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

export interface ReviewChange {
  readonly by: Account;
  readonly review: ReviewId;
}

/** The verdict of a submitted review never changes; its text may. */
export function changeReviewBody(
  world: World,
  entry: PullEntry,
  change: ReviewChange & { readonly body: string },
): void {
  const { by, body, review: id } = change;
  const review = findReview(entry, change);
  if (review.author.id !== by.id) throw new EndpointRefusal(403, "not your review");
  recordPullChange(world, entry, {
    by,
    what: { kind: "review_edited", review: id, before: review.body, body },
    next: { reviews: replaceItem(newestOf(entry).reviews, review, { ...review, body: Untrusted.parse(body) }) },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "review_edited" });
}

export function applyDismissal(world: World, entry: PullEntry, change: ReviewChange): void {
  const { by, review: id } = change;
  const review = findReview(entry, change);
  if (!mayWrite(entry.repository, by)) throw new EndpointRefusal(403, "dismissing needs write permission");
  if (review.state.kind !== "submitted" || review.state.event === "comment") {
    throw new EndpointRefusal(422, `can not dismiss a ${review.state.kind} review`);
  }
  const dismissed: ReviewState = { ...review, state: { ...review.state, kind: "dismissed" } };
  recordPullChange(world, entry, {
    by,
    what: { kind: "review_dismissed", review: id },
    next: { reviews: replaceItem(newestOf(entry).reviews, review, dismissed) },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "review_dismissed" });
}

export function discardReview(world: World, entry: PullEntry, change: ReviewChange): void {
  if (!isPending(findReview(entry, change))) throw new EndpointRefusal(422, "can not delete a submitted review");
  deleteReview(world, entry, change);
}

/** Gitea removes a review on request, with every thread that began with it. */
export function deleteReview(world: World, entry: PullEntry, change: ReviewChange): void {
  const { by, review: id } = change;
  const review = findReview(entry, change);
  const { reviews, threads } = newestOf(entry);
  recordPullChange(world, entry, {
    by,
    what: { kind: "pending_review_discarded", review: id },
    next: {
      reviews: reviews.filter((candidate) => candidate !== review),
      threads: threads.filter((thread) => thread.review !== id),
    },
    moves: isPending(review) ? "nothing" : "changedAt",
  });
}

export function resolveThread(world: World, entry: PullEntry, asked: ThreadAsked): void {
  if (!settleThread(world, entry, { ...asked, isResolved: true })) return;
  sendWebhooks(world, entry.ref, { kind: "resolved" });
}

export function unresolveThread(world: World, entry: PullEntry, asked: ThreadAsked): void {
  if (!settleThread(world, entry, { ...asked, isResolved: false })) return;
  sendWebhooks(world, entry.ref, { kind: "unresolved" });
}

interface ThreadAsked {
  readonly by: Account;
  readonly thread: ThreadId;
}

function settleThread(
  world: World,
  entry: PullEntry,
  { by, thread: id, isResolved }: ThreadAsked & { readonly isResolved: boolean },
): boolean {
  const { threads, author } = newestOf(entry);
  const thread = threads.find((candidate) => candidate.id === id);
  if (thread === undefined) throw notFound();
  if (!mayWrite(entry.repository, by) && author.id !== by.id)
    throw new EndpointRefusal(403, "resolving needs write permission");
  if (thread.isResolved === isResolved) return false;
  recordPullChange(world, entry, {
    by,
    what: { kind: isResolved ? "thread_resolved" : "thread_unresolved", thread: id },
    next: { threads: replaceItem(threads, thread, { ...thread, isResolved }) },
    moves: "changedAt",
  });
  return true;
}

/** Another account's pending review does not exist here. */
function findReview(entry: PullEntry, { by, review: id }: ReviewChange): ReviewState {
  const review = newestOf(entry).reviews.find((candidate) => candidate.id === id);
  if (review === undefined || (isPending(review) && review.author.id !== by.id)) throw notFound();
  return review;
}
