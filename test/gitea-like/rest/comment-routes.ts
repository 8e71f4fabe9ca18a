import { z } from "zod";
import type { Comment } from "#core/model/conversation.ts";
import { CommentId } from "#core/model/ids.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import { addComment, changeCommentBody, removeComment } from "#forges/sandbox/change-comments.ts";
import { isVisibleTo } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { mayWrite, newestOf } from "#forges/sandbox/world.ts";
import { Bare, NotFound } from "#gitea-like/refusals.ts";
import { commentBody } from "#gitea-like/rest/comment-body.ts";
import { totalHeader } from "#gitea-like/rest/page.ts";
import {
  type Asked,
  created,
  nothing,
  numberParam,
  ok,
  pullAsked,
  type Route,
  readBody,
  repositoryAsked,
} from "#gitea-like/rest/route.ts";
import { isBetween } from "#gitea-like/rest/since.ts";
import { type PullSight, pullsOf, type Sight } from "#gitea-like/sight.ts";

const ofIssue = "/repos/{owner}/{repo}/issues/{index}/comments";
const one = "/repos/{owner}/{repo}/issues/comments/{id}";
const Text = z.object({ body: z.string().min(1, "Required") });

export const commentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: ofIssue,
    name: "list_comments",
    isWrite: false,
    scope: "issue",
    // All of them at once, whatever page is asked for.
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked);
      const shown = pull.state.comments.filter(({ createdAt, editedAt }) => isBetween(asked, editedAt ?? createdAt));
      const body = shown.map((comment) => commentBody(pull, comment));
      return { status: 200, body, headers: totalHeader(shown.length) };
    },
  },
  {
    method: "POST",
    path: ofIssue,
    name: "create_comment",
    isWrite: true,
    needsLife: true,
    scope: "issue",
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked);
      const { body } = readBody(Text, asked);
      return created(commentBody(pull, addComment(sight.world, pull.entry, { by: sight.asker, body })));
    },
  },
  {
    method: "GET",
    path: one,
    name: "get_comment",
    isWrite: false,
    scope: "issue",
    async serve(sight, asked) {
      const { pull, comment, kind } = await commentAsked(sight, asked);
      // Nothing is told of what is not a plain comment.
      return kind === "comment" ? ok(commentBody(pull, comment)) : nothing;
    },
  },
  {
    method: "PATCH",
    path: one,
    name: "edit_comment",
    isWrite: true,
    needsLife: true,
    scope: "issue",
    async serve(sight, asked) {
      const { pull, comment, kind } = await commentAsked(sight, asked);
      const { body } = readBody(Text, asked);
      mustOwn(pull, comment);
      if (body === comment.body) return ok(commentBody(pull, comment));
      // The sandbox lets nobody change the text of somebody else's review.
      const by = kind === "review" ? comment.author : sight.asker;
      const change = { by, comment: comment.id, body, place: "anywhere" } as const;
      changeCommentBody(sight.world, pull.entry, change);
      const { comment: edited } = findComment({ ...pull, state: newestOf(pull.entry) }, comment.id) ?? { comment };
      return ok(commentBody(pull, edited));
    },
  },
  {
    method: "DELETE",
    path: one,
    name: "delete_comment",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const { pull, comment, kind } = await commentAsked(sight, asked);
      mustOwn(pull, comment);
      if (kind === "review") throw new EndpointRefusal(500, "the sandbox keeps the texts of reviews");
      removeComment(sight.world, pull.entry, { by: sight.asker, comment: comment.id });
      return nothing;
    },
  },
];

export interface FoundComment {
  readonly pull: PullSight;
  readonly comment: Comment;
  readonly kind: "comment" | "review" | "code";
  /** Under which reactions are kept: for the text of a review not the number of its comment. */
  readonly reactedTo: CommentId;
}

/** They are numbered over the whole forge, and looked for in the repository that was named. */
export async function commentAsked(sight: Sight, asked: Asked): Promise<FoundComment> {
  const repository = await repositoryAsked(sight, asked);
  const id = CommentId.parse(String(numberParam(asked, "id")));
  for (const pull of pullsOf(sight, repository)) {
    const found = findComment(pull, id);
    if (found !== undefined) return { pull, ...found };
  }
  throw new NotFound(`comment does not exist [id: ${id}, issue_id: 0]`);
}

function findComment({ sight, state }: PullSight, id: CommentId): Omit<FoundComment, "pull"> | undefined {
  const isIt = (comment: Comment): boolean => comment.id === id;
  const plain = state.comments.find(isIt);
  if (plain !== undefined) return { comment: plain, kind: "comment", reactedTo: id };
  for (const thread of state.threads) {
    const remark = isVisibleTo(state, thread, sight.asker) ? thread.comments.find(isIt) : undefined;
    if (remark !== undefined) return { comment: remark, kind: "code", reactedTo: id };
  }
  const review = state.reviews.find(({ bodyComment }) => bodyComment === id);
  if (review === undefined || review.state.kind === "pending") return undefined;
  const { author, body } = review;
  const comment = { id, author, body, createdAt: review.state.at, editedAt: null };
  return { comment, kind: "review", reactedTo: reviewTextId(review.id) };
}

/** One's own, or whoever may write. */
function mustOwn({ sight, entry }: PullSight, { author }: Comment): void {
  if (author.id !== sight.asker.id && !mayWrite(entry.repository, sight.asker)) throw new Bare(403);
}
