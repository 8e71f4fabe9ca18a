import { readRemarkedText } from "#core/diff/remarked-text.ts";
import type { Account } from "#core/model/account.ts";
import { kindByName } from "#core/model/bot-name.ts";
import type { Check, Comment, Reaction, Review, Thread } from "#core/model/conversation.ts";
import type { HeadSha, ReviewId, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import type {
  WireCheckRun,
  WireComment,
  WirePull,
  WireReaction,
  WireReview,
  WireReviewComment,
  WireStatus,
  WireThread,
  WireThreadComment,
  WireUser,
} from "#forges/sandbox/wire.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

/** Where the forge does not tell bots, the name does. */
export function readAccount({ id, login, type }: WireUser): Account {
  return { id, login, kind: type === undefined ? kindByName(login) : type === "Bot" ? "bot" : "person" };
}

export function readPull(repository: RepositoryRef, pull: WirePull): Pull {
  return {
    repository,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    bodyEdits: pull.body_edits,
    author: readAccount(pull.user),
    createdAt: pull.created_at,
    state: pull.merged ? "merged" : pull.state,
    isDraft: pull.draft,
    head: {
      sha: pull.head.sha,
      branch: pull.head.ref,
      isFork: pull.head.is_fork,
      pushedAt: pull.head.pushed_at,
      patch: null,
    },
    base: { branch: pull.base.ref, since: pull.base.since },
    labels: pull.labels,
    mergeability: { kind: pull.mergeable },
    requestedReviewers: pull.requested_reviewers.map(readAccount),
  };
}

export function readComment({ id, user, body, created_at, updated_at }: WireComment): Comment {
  return {
    id,
    author: readAccount(user),
    body,
    createdAt: created_at,
    editedAt: updated_at > created_at ? updated_at : null,
  };
}

const reviewStates: ReadonlyMap<string, Review["state"]> = new Map([
  ["APPROVED", "approved"],
  ["CHANGES_REQUESTED", "changes_requested"],
  ["REQUEST_CHANGES", "changes_requested"],
  ["COMMENTED", "commented"],
  ["COMMENT", "commented"],
  ["DISMISSED", "dismissed"],
  ["PENDING", "pending"],
]);

/** Undefined for what is no review, such as a request for one. */
export function readReview(
  review: WireReview,
  { bodies, createdAt }: { readonly bodies: ReadonlyMap<ReviewId, Untrusted>; readonly createdAt: Instant },
): Review | undefined {
  const state = reviewStates.get(review.state);
  if (state === undefined) return undefined;
  return {
    id: review.id,
    author: readAccount(review.user),
    state: review.dismissed ? "dismissed" : state,
    body: bodies.get(review.id) ?? review.body,
    submittedAt: review.submitted_at ?? createdAt,
    commit: review.commit_id,
  };
}

/** Only its author sees a thread of a pending review. */
export function readThread(thread: WireThread, comments: readonly WireThreadComment[]): Thread | undefined {
  const shown = comments.filter((comment) => !comment.is_pending);
  if (shown.length === 0) return undefined;
  const { id, path, line, is_resolved: isResolved, original_line, original_start_line, diff_hunk } = thread;
  const side = thread.diff_side === "LEFT" ? "old" : "new";
  const lines = { side, first: original_start_line ?? original_line, last: original_line } as const;
  const remarked = { commit: thread.original_commit, ...lines, text: readRemarkedText(diff_hunk, lines) };
  return { id, path, line, remarked, isResolved, comments: shown.map(readComment) };
}

export interface ReviewedComment {
  readonly comment: WireReviewComment;
  readonly commit: HeadSha;
}

export function readConversations(comments: readonly ReviewedComment[]): readonly Thread[] {
  const threads = new Map<string, { readonly first: ReviewedComment; readonly comments: Comment[] }>();
  for (const reviewed of comments) {
    const { comment } = reviewed;
    const thread = threads.get(comment.conversation);
    if (thread === undefined) threads.set(comment.conversation, { first: reviewed, comments: [readComment(comment)] });
    else thread.comments.push(readComment(comment));
  }
  return [...threads.values()].map(({ first, comments: said }) => {
    const { conversation: id, path, resolver } = first.comment;
    const remarked = readPosition(first);
    return { id, path, line: remarked?.last ?? null, remarked, isResolved: resolver !== null, comments: said };
  });
}

function readPosition({ comment, commit }: ReviewedComment): Thread["remarked"] {
  const { position, original_position, diff_hunk } = comment;
  const line = original_position > 0 ? original_position : position;
  if (line === 0) return null;
  const lines = { side: original_position > 0 ? "old" : "new", first: line, last: line } as const;
  return { commit, ...lines, text: readRemarkedText(diff_hunk, lines) };
}

export function readReaction({ user, content, created_at }: WireReaction): Reaction {
  return { author: readAccount(user), content, createdAt: created_at };
}

const checkStates = { pending: "pending", success: "passed", failure: "failed" } as const;

export function readStatus(status: WireStatus, head: HeadSha): Check {
  const { context, creator, state, created_at } = status;
  return { name: context, source: creator.login, head, state: checkStates[state], startedAt: created_at };
}

/** Neutral counts as passed, as the forge itself counts it. */
export function readCheckRun(run: WireCheckRun, head: HeadSha): Check {
  const state = run.conclusion === null ? "pending" : run.conclusion === "failure" ? "failed" : "passed";
  return { name: run.name, source: run.app.login, head, state, startedAt: run.started_at };
}
