import { time } from "#forge-like/time.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { issueCommentView, reviewView, threadsField } from "#github-like/graphql/comment-view.ts";
import { commitView } from "#github-like/graphql/commit-view.ts";
import { connection } from "#github-like/graphql/connection.ts";
import { filesOf, pullScalars } from "#github-like/graphql/pull-scalars.ts";
import { reactable } from "#github-like/graphql/reaction-view.ts";
import { timelineField } from "#github-like/graphql/timeline-view.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import { pullNode } from "#github-like/rest/pull-body.ts";
import { reviewWord } from "#github-like/rest/review-body.ts";
import { shownReviews } from "#github-like/rest/review-routes.ts";
import { restLogin } from "#github-like/rest/user-body.ts";
import type { PullSight } from "#github-like/sight.ts";

/** A pull with all that hangs on it. */
export function pullView(pull: PullSight): View {
  const { sight, entry, state } = pull;
  const repository = entry.ref.repository.id;
  return {
    ...pullScalars(pull),
    ...reactable(sight, pullNode(pull), state.reactions),
    comments: connection(sight, {
      name: "IssueComment",
      items: state.comments,
      keyOf: ({ id }) => sight.numbers.commentNumber("issue", id),
      toNode: (comment) => issueCommentView(pull, comment),
    }),
    reviews: (args: Arguments) => reviewsOf(pull, args),
    latestReviews: (args: Arguments) => reviewsOf(pull, args),
    reviewThreads: threadsField(pull),
    labels: connection(sight, {
      name: "Label",
      items: state.labels,
      toNode: (name) => ({
        __typename: "Label",
        id: nodeId("LA", repository, name),
        name,
        color: "ededed",
        description: null,
      }),
    }),
    reviewRequests: connection(sight, {
      name: "ReviewRequest",
      items: state.requests,
      toNode: ({ id, of }) => ({
        __typename: "ReviewRequest",
        id: nodeId("RRE", repository, id),
        asCodeOwner: false,
        requestedReviewer: () => actorView(sight, of),
      }),
    }),
    assignees: connection(sight, { name: "User", items: [], toNode: (none) => none }),
    userContentEdits: connection(sight, {
      name: "UserContentEdit",
      // Newest first, the text as it was opened last.
      items: state.bodyEdits.toReversed(),
      toNode: (edit) => {
        const editor = edit.by === null ? undefined : sight.world.accounts.get(edit.by);
        return {
          __typename: "UserContentEdit",
          id: nodeId("UCE", repository, entry.ref.number, edit.at),
          createdAt: time(edit.at),
          editedAt: time(edit.at),
          updatedAt: time(edit.at),
          deletedAt: null,
          diff: edit.body,
          editor: () => (editor === undefined ? null : actorView(sight, editor)),
        };
      },
    }),
    timelineItems: timelineField(pull),
    commits: connection(sight, {
      name: "PullRequestCommit",
      items: state.heads,
      toNode: (oid) => ({
        __typename: "PullRequestCommit",
        id: nodeId("C", repository, entry.ref.number, oid),
        commit: () => commitView(pull, oid),
      }),
    }),
    files: async (args: Arguments) =>
      connection(sight, {
        name: "PullRequestChangedFile",
        items: await filesOf(pull),
        toNode: ({ path, addedLines, removedLines, kind }) => ({
          __typename: "PullRequestChangedFile",
          path,
          additions: addedLines,
          deletions: removedLines,
          changeType: kind === "mode_changed" ? "CHANGED" : kind.toUpperCase(),
          viewerViewedState: "UNVIEWED",
        }),
      })(args),
  };
}

function reviewsOf(pull: PullSight, args: Arguments): View {
  const { states, author } = args;
  const items = shownReviews(pull).filter(
    (review) =>
      (!Array.isArray(states) || states.includes(reviewWord(review))) &&
      (typeof author !== "string" || restLogin(review.author) === author),
  );
  return connection(pull.sight, {
    name: "PullRequestReview",
    items,
    toNode: (review) => reviewView(pull, review),
  })(args);
}
