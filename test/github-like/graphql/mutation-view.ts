import type { Reaction } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import { addReply } from "#forges/sandbox/change-comments.ts";
import { addCommentReaction, addReaction } from "#forges/sandbox/change-reactions.ts";
import { changeReviewBody, resolveThread, unresolveThread } from "#forges/sandbox/change-review.ts";
import type { ReviewState, ThreadState } from "#forges/sandbox/pull-state.ts";
import { newestOf } from "#forges/sandbox/world.ts";
import {
  reviewCommentView,
  reviewNode,
  reviewView,
  threadNode,
  threadView,
} from "#github-like/graphql/comment-view.ts";
import { mustBeAllowed, noNode, TypedError } from "#github-like/graphql/graphql-error.ts";
import { mergeMutations } from "#github-like/graphql/merge-mutations.ts";
import { findNode, findPullOf } from "#github-like/graphql/node-view.ts";
import { inputOf, payload } from "#github-like/graphql/payload.ts";
import { contentWords, reactionView } from "#github-like/graphql/reaction-view.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { type Node, readNodeId } from "#github-like/node-id.ts";
import { visibleThreads } from "#github-like/rest/comment-body.ts";
import { shownReviews } from "#github-like/rest/review-routes.ts";
import type { Need } from "#github-like/rights.ts";
import type { PullSight, Sight } from "#github-like/sight.ts";

/** The mutations that a program which reviews and merges has a use for. */
export function mutationView(sight: Sight): View {
  return {
    __typename: "Mutation",
    // Not enough for these is to be allowed to write pulls.
    resolveReviewThread: (args: Arguments) => changeThread(sight, args, "resolved"),
    unresolveReviewThread: (args: Arguments) => changeThread(sight, args, "open"),
    addPullRequestReviewThreadReply: (args: Arguments) => reply(sight, args),
    updatePullRequestReview: (args: Arguments) => editReview(sight, args),
    addReaction: (args: Arguments) => react(sight, args),
    minimizeComment: (args: Arguments) => minimize(sight, args),
    ...mergeMutations(sight),
  };
}

const writesPulls: readonly Need[] = [["pull_requests", "write"]];
const writesTalk: readonly Need[] = [...writesPulls, ["issues", "write"]];

interface Found {
  readonly node: Node;
  readonly pull: PullSight;
  readonly thing: string | undefined;
}

/** What is changed is looked at as it is now, never as it was. */
async function mustFind(sight: Sight, id: unknown): Promise<Found> {
  const node = readNodeId(String(id));
  const pull = node === undefined ? undefined : await findPullOf(sight, node);
  if (node === undefined || pull === undefined) throw noNode(String(id));
  return { node, pull: { ...pull, state: newestOf(pull.entry) }, thing: node.path[2] };
}

function again(pull: PullSight): PullSight {
  return { ...pull, state: newestOf(pull.entry) };
}

function threadOf(pull: PullSight, id: string): ThreadState {
  const found = visibleThreads(pull).find((thread) => threadNode(pull, thread) === id);
  if (found === undefined) throw noNode(id);
  return found;
}

async function changeThread(sight: Sight, args: Arguments, to: "resolved" | "open"): Promise<View> {
  const id = String(inputOf(args)["threadId"]);
  const { pull } = await mustFind(sight, id);
  mustBeAllowed(sight, [["contents", "write"]]);
  const change = { by: sight.asker, thread: threadOf(pull, id).id };
  if (to === "resolved") resolveThread(sight.world, pull.entry, change);
  else unresolveThread(sight.world, pull.entry, change);
  sight.extras.resolvers.set(id, sight.asker);
  const now = again(pull);
  const name = to === "resolved" ? "ResolveReviewThreadPayload" : "UnresolveReviewThreadPayload";
  return payload(name, args, { thread: () => threadView(now, threadOf(now, id)) });
}

async function reply(sight: Sight, args: Arguments): Promise<View> {
  const { pullRequestReviewThreadId, body } = inputOf(args);
  const id = String(pullRequestReviewThreadId);
  const { pull } = await mustFind(sight, id);
  mustBeAllowed(sight, writesPulls);
  const comment = addReply(sight.world, pull.entry, {
    by: sight.asker,
    thread: threadOf(pull, id).id,
    body: String(body),
  });
  const now = again(pull);
  return payload("AddPullRequestReviewThreadReplyPayload", args, {
    comment: () => reviewCommentView(now, threadOf(now, id), comment),
  });
}

async function editReview(sight: Sight, args: Arguments): Promise<View> {
  const { pullRequestReviewId, body } = inputOf(args);
  const id = String(pullRequestReviewId);
  const { pull } = await mustFind(sight, id);
  mustBeAllowed(sight, writesPulls);
  const find = (seen: PullSight): ReviewState => {
    const found = shownReviews(seen).find((review) => reviewNode(seen, review) === id);
    if (found === undefined) throw noNode(id);
    return found;
  };
  changeReviewBody(sight.world, pull.entry, { by: sight.asker, review: find(pull).id, body: String(body) });
  const now = again(pull);
  return payload("UpdatePullRequestReviewPayload", args, { pullRequestReview: () => reviewView(now, find(now)) });
}

async function react(sight: Sight, args: Arguments): Promise<View> {
  const { subjectId, content: word } = inputOf(args);
  const subject = String(subjectId);
  const { node, pull } = await mustFind(sight, subject);
  mustBeAllowed(sight, node.kind === "PRRC" || node.kind === "PRR" ? writesPulls : writesTalk);
  const content = contentOf(String(word));
  const change = { by: sight.asker, content };
  if (node.kind === "PR") addReaction(sight.world, pull.entry, change);
  else {
    const found = commentOf(pull, node);
    if (found === undefined) throw noNode(subject);
    const place = node.kind === "PRR" ? "review" : node.kind === "IC" ? "conversation" : "thread";
    addCommentReaction(sight.world, pull.entry, { ...change, comment: found, place });
  }
  const made: Reaction = { author: sight.asker, content, createdAt: sight.world.now() };
  return payload("AddReactionPayload", args, {
    reaction: () => reactionView(sight, subject, made),
    subject: () => findNode(sight, subject),
  });
}

function contentOf(word: string): Reaction["content"] {
  for (const content of contents) if (contentWords[content] === word) return content;
  throw new TypedError("UNPROCESSABLE", `there is no reaction ${word}`);
}

const contents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;

function commentOf(pull: PullSight, { kind, path }: Node): CommentId | undefined {
  const [, , thing] = path;
  const { state } = pull;
  if (kind === "PRR") {
    const review = shownReviews(pull).find(({ id }) => id === thing);
    return review === undefined ? undefined : reviewTextId(review.id);
  }
  const all = kind === "IC" ? state.comments : state.threads.flatMap(({ comments }) => comments);
  return all.find(({ id }) => id === thing)?.id;
}

async function minimize(sight: Sight, args: Arguments): Promise<View> {
  const { subjectId, classifier } = inputOf(args);
  const id = String(subjectId);
  const { node } = await mustFind(sight, id);
  mustBeAllowed(sight, node.kind === "IC" ? writesTalk : writesPulls);
  sight.extras.minimized.set(id, String(classifier).toLowerCase().replace("_", "-"));
  return payload("MinimizeCommentPayload", args, { minimizedComment: () => findNode(sight, id) });
}
