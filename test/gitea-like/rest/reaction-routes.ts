import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import type { Reaction } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import { addCommentReaction, addReaction, removeReaction } from "#forges/sandbox/change-reactions.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { newestOf } from "#forges/sandbox/world.ts";
import { commentAsked, type FoundComment } from "#gitea-like/rest/comment-routes.ts";
import { page } from "#gitea-like/rest/page.ts";
import { type Asked, nothing, ok, pullAsked, type Route, readBody, type Said } from "#gitea-like/rest/route.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import type { Sight } from "#gitea-like/sight.ts";

const ofIssue = "/repos/{owner}/{repo}/issues/{index}/reactions";
const ofComment = "/repos/{owner}/{repo}/issues/comments/{id}/reactions";

const contents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;
const Content = z.object({ content: z.string() });

export const reactionRoutes: readonly Route[] = [
  {
    method: "GET",
    path: ofIssue,
    name: "list_reactions",
    isWrite: false,
    scope: "issue",
    async serve(sight, asked) {
      const { state } = await pullAsked(sight, asked);
      const items = state.reactions;
      return page(sight, asked, { items, toBody: (reaction) => reactionBody(sight, reaction), emptyIsNull: true });
    },
  },
  {
    method: "POST",
    path: ofIssue,
    name: "react",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const { entry } = await pullAsked(sight, asked);
      const content = readContent(asked);
      const outcome = addReaction(sight.world, entry, { by: sight.asker, content });
      return reacted(sight, { outcome, content, all: newestOf(entry).reactions });
    },
  },
  {
    method: "DELETE",
    path: ofIssue,
    name: "unreact",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const { entry } = await pullAsked(sight, asked);
      removeReaction(sight.world, entry, { by: sight.asker, content: readContent(asked) });
      return gone(sight);
    },
  },
  {
    method: "GET",
    path: ofComment,
    name: "list_comment_reactions",
    isWrite: false,
    scope: "issue",
    // All of them at once.
    async serve(sight, asked) {
      const { pull, reactedTo } = await commentAsked(sight, asked);
      const found = pull.state.commentReactions.filter((reaction) => reaction.comment === reactedTo);
      return ok(found.length === 0 ? null : found.map((reaction) => reactionBody(sight, reaction)));
    },
  },
  {
    method: "POST",
    path: ofComment,
    name: "react_to_comment",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const { pull, comment, reactedTo } = await commentAsked(sight, asked);
      const content = readContent(asked);
      const change = { by: sight.asker, content, comment: comment.id, place: "anywhere" } as const;
      const outcome = addCommentReaction(sight.world, pull.entry, change);
      const all = newestOf(pull.entry).commentReactions.filter((reaction) => reaction.comment === reactedTo);
      return reacted(sight, { outcome, content, all });
    },
  },
  {
    method: "DELETE",
    path: ofComment,
    name: "unreact_to_comment",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      removeCommentReaction(sight, await commentAsked(sight, asked), readContent(asked));
      return gone(sight);
    },
  },
];

function readContent(asked: Asked): Reaction["content"] {
  const { content } = readBody(Content, asked);
  const known = contents.find((word) => word === content);
  if (known === undefined) throw new EndpointRefusal(403, `'${content}' is not an allowed reaction`);
  return known;
}

/** Reactions have no number: there is one of each kind by each account. */
function reactionBody(sight: Sight, { author, content, createdAt }: Reaction): object {
  return { user: userBody(sight, author), content, created_at: time(createdAt) };
}

/** One that is there already is no error, and told by another status. */
function reacted(
  sight: Sight,
  made: {
    readonly outcome: "added" | "known";
    readonly content: Reaction["content"];
    readonly all: readonly Reaction[];
  },
): Said {
  const { outcome, content, all } = made;
  const own = all.find((reaction) => reaction.author.id === sight.asker.id && reaction.content === content);
  if (own === undefined) throw new Error("the reaction is not there");
  return { status: outcome === "added" ? 201 : 200, body: reactionBody(sight, own) };
}

function gone({ version }: Sight): Said {
  return version.isFrom(27) ? nothing : { status: 200, body: undefined };
}

function removeCommentReaction(sight: Sight, { pull, reactedTo }: FoundComment, content: Reaction["content"]): void {
  const by: Account = sight.asker;
  const { commentReactions } = newestOf(pull.entry);
  const left = commentReactions.filter(
    (reaction) => reaction.comment !== reactedTo || reaction.author.id !== by.id || reaction.content !== content,
  );
  if (left.length === commentReactions.length) return;
  recordPullChange(sight.world, pull.entry, {
    by,
    what: { kind: "unreacted", comment: reactedTo, content },
    next: { commentReactions: left },
    moves: "nothing",
  });
}
