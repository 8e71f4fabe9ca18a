import type { Account } from "#core/model/account.ts";
import type { Comment } from "#core/model/conversation.ts";
import { CommentId, type HeadSha, ReviewId, ThreadId, Untrusted } from "#core/model/ids.ts";
import { makeComment } from "#forges/sandbox/change-comments.ts";
import { areAnchored, hunksAbove } from "#forges/sandbox/check-anchors.ts";
import { isPending, type ReviewEvent, type ReviewState, type ThreadState } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";
import type { ReviewRemark } from "#ports/forge.ts";

export interface Submission {
  readonly by: Account;
  readonly event: ReviewEvent | "pending";
  readonly body: string;
  readonly remarks: readonly ReviewRemark[];
  readonly replies?: readonly { readonly thread: ThreadId; readonly comment: Comment }[];
  readonly commit: HeadSha;
  readonly breaksDown: boolean;
}

/** With the author's pending review. Where remarks go into it first, a failed submission leaves them there. */
export async function applyReview(world: World, entry: PullEntry, submission: Submission): Promise<ReviewState> {
  const { by, event, commit } = submission;
  const leaks = world.quirks.leaksPendingReviews;
  checkVerdict(entry, submission);
  const left = newestOf(entry).reviews.find((review) => isPending(review) && review.author.id === by.id);
  if (left !== undefined && !leaks) throw new EndpointRefusal(422, "User can only have one pending review");
  const isKnown = await isKnownCommit(world, entry, commit);
  if (!isKnown && !leaks) throw new EndpointRefusal(422, "commit_id is not part of the pull");
  const lost = isKnown ? await findLost(world, entry, submission) : [];
  const review = left ?? makeReview(world, submission);
  const hunks = isKnown ? await hunksAbove(world, entry, submission) : [];
  const threads = submission.remarks.map((remark, index) =>
    makeThread(world, {
      by,
      remark,
      review: review.id,
      isLost: lost[index] ?? false,
      commit,
      hunk: hunks[index] ?? "",
    }),
  );
  const isBroken = !isKnown || (left?.state.kind === "pending" && left.state.isBroken);
  const pending: ReviewState = { ...review, state: { kind: "pending", isBroken } };
  if (leaks && (isBroken || (submission.breaksDown && threads.length > 0))) {
    keepPending(world, entry, { review: pending, threads });
    throw new EndpointRefusal(500, "Internal Server Error");
  }
  if (event === "pending") {
    keepPending(world, entry, { review: pending, threads });
    return pending;
  }
  return finishReview(world, entry, { submission, event, review, threads });
}

function checkVerdict(entry: PullEntry, { by, event, body, remarks, replies = [] }: Submission): void {
  const isOwn = newestOf(entry).author.id === by.id;
  if (isOwn && event === "approve") throw new EndpointRefusal(422, "approve your own pull is not allowed");
  if (isOwn && event === "request_changes") throw new EndpointRefusal(422, "reject your own pull is not allowed");
  const isEmpty = body.trim() === "";
  if (isEmpty && event === "request_changes")
    throw new EndpointRefusal(422, "review event REQUEST_CHANGES requires a body");
  if (isEmpty && event === "comment" && remarks.length + replies.length === 0) {
    throw new EndpointRefusal(422, "review event COMMENT requires a body or a comment");
  }
}

async function isKnownCommit({ host }: World, entry: PullEntry, commit: HeadSha): Promise<boolean> {
  if (newestOf(entry).heads.includes(commit)) return true;
  return (await host.findTree({ repository: entry.repository.ref.name, commit })) !== undefined;
}

/** Lines that are not in the diff; where such are refused, one refuses all. */
async function findLost(world: World, entry: PullEntry, submission: Submission): Promise<readonly boolean[]> {
  const { remarks, commit } = submission;
  if (remarks.length === 0) return [];
  const lost = (await areAnchored(world, entry, { remarks, commit })).map((isAnchored) => !isAnchored);
  if (world.quirks.refusesForeignAnchors && lost.includes(true)) {
    throw new EndpointRefusal(422, "Line could not be resolved");
  }
  return lost;
}

function makeReview(world: World, { by, commit, body }: Submission): ReviewState {
  return {
    id: ReviewId.parse(world.nextId()),
    author: by,
    state: { kind: "pending", isBroken: false },
    body: Untrusted.parse(body),
    originalBody: Untrusted.parse(body),
    bodyComment: CommentId.parse(world.nextId()),
    createdAt: world.now(),
    commit,
  };
}

interface RemarkMade {
  readonly by: Account;
  readonly remark: ReviewRemark;
  readonly review: ReviewId;
  readonly isLost: boolean;
  readonly commit: HeadSha;
  readonly hunk: string;
}

function makeThread(world: World, { by, remark, review, isLost, commit, hunk }: RemarkMade): ThreadState {
  const { path, side, body } = remark;
  const { last } = remark.lines;
  const lines = { first: world.quirks.remarksOnRanges ? remark.lines.first : last, last };
  const comment = makeComment(world, { by, body });
  return {
    id: ThreadId.parse(comment.id),
    review,
    path,
    side,
    line: last,
    startLine: lines.first === last ? null : lines.first,
    remarked: { commit, lines, hunk },
    isResolved: false,
    isLost,
    comments: [comment],
  };
}

interface Made {
  readonly review: ReviewState;
  readonly threads: readonly ThreadState[];
}

function keepPending(world: World, entry: PullEntry, { review, threads }: Made): void {
  const before = newestOf(entry);
  recordPullChange(world, entry, {
    by: review.author,
    what: { kind: "pending_review_left", review: review.id },
    next: { reviews: withReview(before.reviews, review), threads: [...before.threads, ...threads] },
    moves: "nothing",
  });
}

function finishReview(
  world: World,
  entry: PullEntry,
  {
    submission,
    event,
    review: begun,
    threads,
  }: Made & { readonly submission: Submission; readonly event: ReviewEvent },
): ReviewState {
  const before = newestOf(entry);
  const { by, body, commit } = submission;
  const text = Untrusted.parse(body);
  const state = { kind: "submitted", event, at: world.now() } as const;
  const review: ReviewState = { ...begun, state, body: text, originalBody: text, commit };
  const all = [...before.threads.filter((thread) => thread.review === review.id), ...threads];
  recordPullChange(world, entry, {
    by,
    what: { kind: "reviewed", review: review.id, event, head: commit, body, threads: all.map(({ id }) => id) },
    next: {
      reviews: withReview(before.reviews, review),
      threads: [...withReplies(before.threads, submission), ...threads],
      requests: before.requests.filter(({ of }) => of.id !== by.id),
    },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "reviewed", event, remarks: all.length });
  return review;
}

function withReplies(threads: readonly ThreadState[], { replies = [] }: Submission): readonly ThreadState[] {
  if (replies.length === 0) return threads;
  return threads.map((thread) => {
    const added = replies.filter((reply) => reply.thread === thread.id).map(({ comment }) => comment);
    return added.length === 0 ? thread : { ...thread, comments: [...thread.comments, ...added] };
  });
}

function withReview(reviews: readonly ReviewState[], review: ReviewState): readonly ReviewState[] {
  const others = reviews.filter((candidate) => candidate.id !== review.id);
  return [...others, review];
}
