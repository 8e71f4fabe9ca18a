import type { Comment } from "#core/model/conversation.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import { time } from "#forge-like/time.ts";
import { isPending, type ReviewState, type ThreadState } from "#forges/sandbox/pull-state.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { commitView } from "#github-like/graphql/commit-view.ts";
import { connection } from "#github-like/graphql/connection.ts";
import { pullScalars } from "#github-like/graphql/pull-scalars.ts";
import { reactable } from "#github-like/graphql/reaction-view.ts";
import { repositoryScalars } from "#github-like/graphql/repository-scalars.ts";
import type { View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import { associationOf, commentNode, pullHtml, reactionsOn, visibleThreads } from "#github-like/rest/comment-body.ts";
import { reviewWord } from "#github-like/rest/review-body.ts";
import type { PullSight } from "#github-like/sight.ts";

export function issueCommentView(pull: PullSight, comment: Comment): View {
  const { sight, entry } = pull;
  const number = sight.numbers.commentNumber("issue", comment.id);
  return {
    __typename: "IssueComment",
    ...commentFields(pull, comment, commentNode("IC", entry, comment.id)),
    databaseId: number,
    fullDatabaseId: String(number),
    url: `${pullHtml(sight, entry)}#issuecomment-${number}`,
    issue: () => {
      throw new Error("a pull is no issue here");
    },
    pullRequest: () => pullScalars(pull),
  };
}

export function reviewCommentView(pull: PullSight, thread: ThreadState, comment: Comment): View {
  const { sight, entry, state } = pull;
  const number = sight.numbers.commentNumber("review", comment.id);
  const review = state.reviews.find(({ id }) => id === thread.review);
  const [first] = thread.comments;
  const isFirst = first === undefined || first.id === comment.id;
  return {
    __typename: "PullRequestReviewComment",
    ...commentFields(pull, comment, commentNode("PRRC", entry, comment.id)),
    databaseId: number,
    fullDatabaseId: String(number),
    url: `${pullHtml(sight, entry)}#discussion_r${number}`,
    state: review !== undefined && isPending(review) ? "PENDING" : "SUBMITTED",
    path: thread.path,
    ...linesOf(thread),
    outdated: thread.line === null,
    subjectType: "LINE",
    diffHunk: thread.remarked.hunk,
    replyTo: () => (isFirst ? null : reviewCommentView(pull, thread, first)),
    pullRequestReview: () => (review === undefined ? null : reviewView(pull, review)),
    pullRequest: () => pullScalars(pull),
    commit: () => (review === undefined ? null : commitView(pull, review.commit)),
    originalCommit: () => commitView(pull, thread.remarked.commit),
  };
}

function linesOf({ line, startLine, remarked: { lines } }: ThreadState): Readonly<Record<string, number | null>> {
  return {
    line,
    startLine,
    originalLine: lines.last,
    originalStartLine: lines.first === lines.last ? null : lines.first,
  };
}

function commentFields(pull: PullSight, comment: Comment, id: string): Readonly<Record<string, unknown>> {
  const { sight, entry, state } = pull;
  const { author, body, createdAt, editedAt } = comment;
  const reason = sight.extras.minimized.get(id);
  return {
    id,
    author: () => actorView(sight, author),
    authorAssociation: associationOf(entry.repository, author),
    body,
    bodyText: body,
    bodyHTML: body,
    createdAt: time(createdAt),
    publishedAt: time(createdAt),
    updatedAt: time(editedAt ?? createdAt),
    lastEditedAt: editedAt === null ? null : time(editedAt),
    editor: () => (editedAt === null ? null : actorView(sight, author)),
    includesCreatedEdit: editedAt !== null,
    isMinimized: reason !== undefined,
    minimizedReason: reason ?? null,
    viewerDidAuthor: author.id === sight.asker.id,
    viewerCanUpdate: author.id === sight.asker.id,
    repository: () => repositoryScalars(sight, entry.repository),
    ...reactable(sight, id, reactionsOn(state, comment.id)),
  };
}

export function reviewView(pull: PullSight, review: ReviewState): View {
  const { sight, entry } = pull;
  const { state, author, body, createdAt } = review;
  const editedAt = sight.numbers.reviewEditedAt(review.id, sight.at);
  const submittedAt = state.kind === "pending" ? null : time(state.at);
  const id = reviewNode(pull, review);
  return {
    __typename: "PullRequestReview",
    id,
    databaseId: Number(review.id),
    fullDatabaseId: review.id,
    author: () => actorView(sight, author),
    authorAssociation: associationOf(entry.repository, author),
    authorCanPushToRepository: false,
    body,
    bodyText: body,
    state: reviewWord(review),
    createdAt: time(createdAt),
    submittedAt,
    publishedAt: submittedAt,
    updatedAt: time(editedAt ?? (state.kind === "pending" ? createdAt : state.at)),
    lastEditedAt: editedAt === null ? null : time(editedAt),
    includesCreatedEdit: editedAt !== null,
    isMinimized: sight.extras.minimized.has(id),
    minimizedReason: sight.extras.minimized.get(id) ?? null,
    url: `${pullHtml(sight, entry)}#pullrequestreview-${review.id}`,
    viewerDidAuthor: author.id === sight.asker.id,
    commit: () => commitView(pull, review.commit),
    pullRequest: () => pullScalars(pull),
    comments: connection(sight, {
      name: "PullRequestReviewComment",
      // Replies belong to reviews of their own there; the remarks alone belong to this one.
      items: pull.state.threads.filter((thread) => thread.review === review.id),
      toNode: (thread) => {
        const [first] = thread.comments;
        return first === undefined ? null : reviewCommentView(pull, thread, first);
      },
    }),
    ...reactable(sight, id, reactionsOn(pull.state, reviewTextId(review.id))),
  };
}

export function reviewNode({ entry: { ref } }: PullSight, { id }: Pick<ReviewState, "id">): string {
  return nodeId("PRR", ref.repository.id, ref.number, id);
}

export function threadNode({ entry: { ref } }: PullSight, { id }: Pick<ThreadState, "id">): string {
  return nodeId("PRRT", ref.repository.id, ref.number, id);
}

export function threadView(pull: PullSight, thread: ThreadState): View {
  const { sight, entry } = pull;
  const id = threadNode(pull, thread);
  const side = thread.side === "old" ? "LEFT" : "RIGHT";
  return {
    __typename: "PullRequestReviewThread",
    id,
    path: thread.path,
    ...linesOf(thread),
    diffSide: side,
    startDiffSide: thread.remarked.lines.first === thread.remarked.lines.last ? null : side,
    subjectType: "LINE",
    isResolved: thread.isResolved,
    isOutdated: thread.line === null,
    isCollapsed: thread.isResolved,
    resolvedBy: () => {
      const by = sight.extras.resolvers.get(id);
      return thread.isResolved && by !== undefined ? actorView(sight, by) : null;
    },
    viewerCanReply: true,
    viewerCanResolve: true,
    viewerCanUnresolve: true,
    pullRequest: () => pullScalars(pull),
    repository: () => repositoryScalars(sight, entry.repository),
    comments: connection(sight, {
      name: "PullRequestReviewComment",
      items: thread.comments,
      keyOf: ({ id: comment }) => sight.numbers.commentNumber("review", comment),
      toNode: (comment) => reviewCommentView(pull, thread, comment),
    }),
  };
}

export function threadsField(pull: PullSight): (args: Readonly<Record<string, unknown>>) => View {
  const { sight } = pull;
  return connection(sight, {
    name: "PullRequestReviewThread",
    items: visibleThreads(pull),
    keyOf: ({ id }) => sight.numbers.threadNumber(id),
    toNode: (thread) => threadView(pull, thread),
  });
}
