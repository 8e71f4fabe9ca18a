import type { Comment } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import type { PullState, ReviewEvent, ReviewState, ThreadState } from "#forges/sandbox/pull-state.ts";
import { isPending } from "#forges/sandbox/pull-state.ts";
import { mayWrite } from "#forges/sandbox/world.ts";
import { pullPage } from "#gitea-like/rest/pull-body.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import { isSuperseded, remarksOf } from "#gitea-like/reviews.ts";
import type { PullSight } from "#gitea-like/sight.ts";

/** The text is that of the submission, whatever became of it since. */
export function reviewBody(pull: PullSight, review: ReviewState): object {
  const { sight, entry, state } = pull;
  const { id, author, commit, createdAt } = review;
  const isJudging = review.state.kind !== "pending" && review.state.event !== "comment";
  const isLast = isJudging && !isSuperseded(pull, review);
  return {
    id: Number(id),
    user: userBody(sight, author),
    team: null,
    state: review.state.kind === "pending" ? "PENDING" : words[review.state.event],
    body: sight.world.quirks.listsOriginalBodies ? review.originalBody : review.body,
    commit_id: commit,
    stale: isJudging && commit !== state.head.sha,
    official: isLast && mayWrite(entry.repository, author),
    dismissed: review.state.kind === "dismissed" || isSuperseded(pull, review),
    comments_count: remarksOf(pull, id).length,
    // A review that was pending for a while keeps the time at which it was begun.
    submitted_at: time(createdAt),
    updated_at: time(review.state.kind === "pending" ? createdAt : review.state.at),
    html_url: reviewPage(pull, review),
    pull_request_url: pullPage(pull),
  };
}

const words = {
  approve: "APPROVED",
  request_changes: "REQUEST_CHANGES",
  comment: "COMMENT",
} as const satisfies Record<ReviewEvent, string>;

/** Up to 1.26 it names the comment that is the review's text, and since then the review. */
function reviewPage(pull: PullSight, review: ReviewState): string {
  if (isPending(review)) return "";
  const anchor = pull.sight.version.isFrom(27)
    ? `pullrequestreview-${review.id}`
    : `issuecomment-${review.bodyComment}`;
  return `${pullPage(pull)}#${anchor}`;
}

/** One that was asked for a review is listed as one that has none. */
export function requestBody(pull: PullSight, { id, of }: PullState["requests"][number]): object {
  const { sight, entry, state } = pull;
  const at = time(state.changedAt);
  return {
    id: Number(id),
    user: userBody(sight, of),
    team: null,
    state: "REQUEST_REVIEW",
    body: "",
    commit_id: "",
    stale: false,
    official: mayWrite(entry.repository, of),
    dismissed: false,
    comments_count: 0,
    submitted_at: at,
    updated_at: at,
    html_url: "",
    pull_request_url: pullPage(pull),
  };
}

export interface Remark {
  readonly thread: ThreadState;
  readonly comment: Comment;
}

export function remarkBodies(pull: PullSight, remarks: readonly Remark[]): readonly object[] {
  return remarks.map((remark) => remarkBody(pull, remark));
}

/** The line is that of the file at the time of the remark; it does not move. 0 stands for the other side. */
function remarkBody(pull: PullSight, { thread, comment }: Remark): object {
  const { sight, state } = pull;
  const { id, author, body, createdAt, editedAt } = comment;
  const line = thread.line ?? 0;
  const review = sight.extras.madeIn.get(id) ?? thread.review;
  const resolver = thread.isResolved && thread.comments[0]?.id === id ? resolverOf(pull, thread) : undefined;
  return {
    id: Number(id),
    body,
    user: userBody(sight, author),
    resolver: resolver === undefined ? null : userBody(sight, resolver),
    pull_request_review_id: Number(review),
    created_at: time(createdAt),
    updated_at: time(editedAt ?? createdAt),
    path: thread.path,
    commit_id: state.reviews.find((candidate) => candidate.id === review)?.commit ?? state.head.sha,
    original_commit_id: "",
    diff_hunk: thread.remarked.hunk,
    position: thread.side === "new" ? line : 0,
    original_position: thread.side === "old" ? line : 0,
    html_url: `${pullPage(pull)}#issuecomment-${id}`,
    pull_request_url: pullPage(pull),
  };
}

function resolverOf({ sight }: PullSight, { id }: ThreadState) {
  return sight.world.history.findLast(({ what }) => what.kind === "thread_resolved" && what.thread === id)?.by;
}
