import { z } from "zod";
import { Reaction } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import { addCommentReaction, addReaction, removeReaction } from "#forges/sandbox/change-reactions.ts";
import { notFound } from "#forges/sandbox/refusal.ts";
import { newestOf } from "#forges/sandbox/world.ts";
import { nodeId } from "#github-like/node-id.ts";
import { reactionNumber } from "#github-like/reaction-number.ts";
import { commentNode, reactionsOn } from "#github-like/rest/comment-body.ts";
import { findIssueComment, findReviewComment, pullAsked } from "#github-like/rest/comment-routes.ts";
import { page } from "#github-like/rest/page.ts";
import { pullNode } from "#github-like/rest/pull-body.ts";
import { type Asked, nothing, type Route, readBody, repositoryName, type Said } from "#github-like/rest/route.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import type { Need } from "#github-like/rights.ts";
import type { PullSight, Sight } from "#github-like/sight.ts";

const Content = z.object({ content: Reaction.shape.content });

/** What is reacted to, however it was found. */
interface Subject {
  readonly pull: PullSight;
  readonly node: string;
  readonly reactions: (pull: PullSight) => readonly Reaction[];
  readonly add: (made: { readonly content: Reaction["content"] }) => "added" | "known";
}

interface Kind {
  readonly path: string;
  readonly names: readonly [list: string, create: string];
  readonly needs: readonly string[];
  readonly find: (sight: Sight, asked: Asked) => Promise<Subject>;
}

const kinds: readonly Kind[] = [
  {
    path: "/repos/{owner}/{repo}/issues/{issue_number}/reactions",
    names: ["list_reactions", "react_to_pull"],
    needs: ["issues", "pull_requests"],
    find: async (sight, asked) => {
      const pull = await pullAsked(sight, asked, "issue_number");
      return {
        pull,
        node: pullNode(pull),
        reactions: ({ state }) => state.reactions,
        add: ({ content }) => addReaction(sight.world, pull.entry, { by: sight.asker, content }),
      };
    },
  },
  {
    path: "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
    names: ["list_comment_reactions", "react_to_comment"],
    needs: ["issues", "pull_requests"],
    find: async (sight, asked) => {
      const { pull, comment } = await findIssueComment(sight, asked);
      return onComment(pull, {
        id: comment.id,
        node: commentNode("IC", pull.entry, comment.id),
        place: "conversation",
      });
    },
  },
  {
    path: "/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
    names: ["list_review_comment_reactions", "react_to_review_comment"],
    needs: ["pull_requests"],
    find: async (sight, asked) => {
      const { pull, comment } = await findReviewComment(sight, asked);
      return onComment(pull, { id: comment.id, node: commentNode("PRRC", pull.entry, comment.id), place: "thread" });
    },
  },
];

function onComment(
  pull: PullSight,
  at: {
    readonly id: Parameters<typeof reactionsOn>[1];
    readonly node: string;
    readonly place: "conversation" | "thread";
  },
): Subject {
  const { sight, entry } = pull;
  return {
    pull,
    node: at.node,
    reactions: ({ state }) => reactionsOn(state, at.id),
    add: ({ content }) =>
      addCommentReaction(sight.world, entry, { by: sight.asker, content, comment: at.id, place: at.place }),
  };
}

/** A list of each kind, and a way to add to it: 201 the first time, 200 ever after. */
const addedReactionRoutes: readonly Route[] = kinds.flatMap(({ path, names: [list, create], needs, find }) => [
  {
    method: "GET",
    path,
    name: list,
    isWrite: false,
    needs: needs.map((name): Need => [name, "read"]),
    async serve(sight, asked) {
      const { pull, node, reactions } = await find(sight, asked);
      const content = asked.query.get("content");
      const items = reactions(pull).filter((reaction) => content === null || reaction.content === content);
      const toBody = (reaction: Reaction): object => reactionBody(sight, node, reaction);
      return page(sight, asked, { items, path: filled(path, asked), toBody });
    },
  },
  {
    method: "POST",
    path,
    name: create,
    isWrite: true,
    needs: needs.map((name): Need => [name, "write"]),
    async serve(sight, asked): Promise<Said> {
      const { content } = readBody(Content, asked);
      const { pull, node, reactions, add } = await find(sight, asked);
      const outcome = add({ content });
      const now = { ...pull, state: newestOf(pull.entry) };
      const made = reactions(now).find(
        (reaction) => reaction.author.id === sight.asker.id && reaction.content === content,
      );
      if (made === undefined) throw new Error("the reaction is not there");
      return { status: outcome === "added" ? 201 : 200, body: reactionBody(sight, node, made) };
    },
  },
]);

/** A reaction on a pull goes by its number, and by its author alone. */
const removedReactionRoute: Route = {
  method: "DELETE",
  path: "/repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}",
  name: "unreact_to_pull",
  isWrite: true,
  needs: [
    ["issues", "write"],
    ["pull_requests", "write"],
  ],
  async serve(sight, asked): Promise<Said> {
    const pull = await pullAsked(sight, asked, "issue_number");
    const node = pullNode(pull);
    const meant = newestOf(pull.entry).reactions.find(
      ({ author, content, createdAt }) =>
        author.id === sight.asker.id &&
        String(reactionNumber(node, author.id, content, String(createdAt))) === asked.params["reaction_id"],
    );
    if (meant === undefined) throw notFound();
    removeReaction(sight.world, pull.entry, { by: sight.asker, content: meant.content });
    return nothing;
  },
};

export const reactionRoutes: readonly Route[] = [...addedReactionRoutes, removedReactionRoute];

/** The path of this request. */
function filled(path: string, asked: Asked): string {
  const whole = path.replace("{owner}/{repo}", repositoryName(asked));
  return whole.replace(/\{(\w+)\}/g, (_, name: string) => asked.params[name] ?? "");
}

function reactionBody(sight: Sight, subject: string, { author, content, createdAt }: Reaction): object {
  return {
    id: reactionNumber(subject, author.id, content, String(createdAt)),
    node_id: nodeId("REA", subject, author.id, content),
    user: userBody(sight, author),
    content,
    created_at: time(createdAt),
  };
}
