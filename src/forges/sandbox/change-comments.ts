import type { Account } from "#core/model/account.ts";
import type { Comment } from "#core/model/conversation.ts";
import { CommentId, type ThreadId, Untrusted } from "#core/model/ids.ts";
import { limits } from "#core/model/limits.ts";
import { changeReviewBody } from "#forges/sandbox/change-review.ts";
import { isVisibleTo, replaceItem, type ThreadState } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { mayWrite, newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

export interface CommentDraft {
  readonly by: Account;
  readonly body: string;
}

export function addComment(world: World, entry: PullEntry, { by, body }: CommentDraft): Comment {
  const comment = makeComment(world, { by, body });
  recordPullChange(world, entry, {
    by,
    what: { kind: "commented", comment: comment.id, thread: null, body },
    next: { comments: [...newestOf(entry).comments, comment] },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "commented" });
  return comment;
}

export function addReply(
  world: World,
  entry: PullEntry,
  { by, body, thread: id }: CommentDraft & { thread: ThreadId },
): Comment {
  const { threads } = newestOf(entry);
  const thread = findThread(entry, { by, id });
  const comment = makeComment(world, { by, body });
  recordPullChange(world, entry, {
    by,
    what: { kind: "commented", comment: comment.id, thread: id, body },
    next: { threads: replaceItem(threads, thread, { ...thread, comments: [...thread.comments, comment] }) },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "replied" });
  return comment;
}

export function makeComment(world: World, { by, body }: CommentDraft): Comment {
  checkLength(world, body);
  const id = CommentId.parse(world.nextId());
  return { id, author: by, body: Untrusted.parse(body), createdAt: world.now(), editedAt: null };
}

function checkLength({ manner }: World, body: string): void {
  if (manner === "github" && body.length > limits.bodyCharactersMax) throw new EndpointRefusal(422, "body is too long");
}

/** Gitea keeps them all in one table, the texts of reviews included. */
export type CommentPlace = "conversation" | "thread" | "anywhere";

export interface CommentChange {
  readonly by: Account;
  readonly comment: CommentId;
  readonly place: CommentPlace;
}

export function changeCommentBody(world: World, entry: PullEntry, change: CommentChange & { body: string }): void {
  const { by, body, comment: id, place } = change;
  checkLength(world, body);
  const { comments, threads, reviews } = newestOf(entry);
  const edited = (comment: Comment): Comment => {
    checkOwner(entry, { by, comment });
    return { ...comment, body: Untrusted.parse(body), editedAt: world.now() };
  };
  const comment = place === "thread" ? undefined : comments.find((candidate) => candidate.id === id);
  if (comment !== undefined) {
    const what = { kind: "comment_edited", comment: id, before: comment.body, body } as const;
    const next = { comments: replaceItem(comments, comment, edited(comment)) };
    recordPullChange(world, entry, { by, what, next, moves: "changedAt" });
    return sendWebhooks(world, entry.ref, { kind: "comment_edited" });
  }
  const review = place === "anywhere" ? reviews.find((candidate) => candidate.bodyComment === id) : undefined;
  if (review !== undefined) return changeReviewBody(world, entry, { by, review: review.id, body });
  const { thread, remark } = findRemark(threads, change);
  const what = { kind: "comment_edited", comment: id, before: remark.body, body } as const;
  const next = { ...thread, comments: replaceItem(thread.comments, remark, edited(remark)) };
  recordPullChange(world, entry, {
    by,
    what,
    next: { threads: replaceItem(threads, thread, next) },
    moves: "changedAt",
  });
  return sendWebhooks(world, entry.ref, { kind: "reply_edited" });
}

export function removeComment(world: World, entry: PullEntry, { by, comment: id }: Omit<CommentChange, "place">): void {
  const { comments, threads } = newestOf(entry);
  const what = { kind: "comment_deleted", comment: id } as const;
  const comment = comments.find((candidate) => candidate.id === id);
  if (comment !== undefined) {
    checkOwner(entry, { by, comment });
    const next = { comments: comments.filter((candidate) => candidate !== comment) };
    recordPullChange(world, entry, { by, what, next, moves: "changedAt" });
    return sendWebhooks(world, entry.ref, { kind: "comment_deleted" });
  }
  const { thread, remark } = findRemark(threads, { comment: id, place: "anywhere" });
  checkOwner(entry, { by, comment: remark });
  const rest = { ...thread, comments: thread.comments.filter((candidate) => candidate !== remark) };
  const left =
    rest.comments.length === 0 ? threads.filter((each) => each !== thread) : replaceItem(threads, thread, rest);
  recordPullChange(world, entry, { by, what, next: { threads: left }, moves: "changedAt" });
  return sendWebhooks(world, entry.ref, { kind: "reply_deleted" });
}

function findThread(entry: PullEntry, { by, id }: { readonly by: Account; readonly id: ThreadId }): ThreadState {
  const state = newestOf(entry);
  const thread = state.threads.find((candidate) => candidate.id === id && isVisibleTo(state, candidate, by));
  if (thread === undefined) throw notFound();
  return thread;
}

function findRemark(
  threads: readonly ThreadState[],
  { comment: id, place }: Pick<CommentChange, "comment" | "place">,
): { readonly thread: ThreadState; readonly remark: Comment } {
  for (const thread of place === "conversation" ? [] : threads) {
    const remark = thread.comments.find((candidate) => candidate.id === id);
    if (remark !== undefined) return { thread, remark };
  }
  throw notFound();
}

function checkOwner(
  { repository }: PullEntry,
  { by, comment }: { readonly by: Account; readonly comment: Comment },
): void {
  if (comment.author.id !== by.id && !mayWrite(repository, by)) throw new EndpointRefusal(403, "not your comment");
}
