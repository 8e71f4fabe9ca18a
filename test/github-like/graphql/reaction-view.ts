import type { Reaction } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { connection } from "#github-like/graphql/connection.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import { reactionNumber } from "#github-like/reaction-number.ts";
import type { Sight } from "#github-like/sight.ts";

export const contentWords = {
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  laugh: "LAUGH",
  hooray: "HOORAY",
  confused: "CONFUSED",
  heart: "HEART",
  rocket: "ROCKET",
  eyes: "EYES",
} as const satisfies Record<Reaction["content"], string>;

/** The fields that everything has which can be reacted to. */
export function reactable(
  sight: Sight,
  subject: string,
  reactions: readonly Reaction[],
): Readonly<Record<string, unknown>> {
  return {
    reactions: (args: Arguments) =>
      connection(sight, {
        name: "Reaction",
        items: reactions.filter(({ content }) => (args["content"] ?? contentWords[content]) === contentWords[content]),
        toNode: (reaction) => reactionView(sight, subject, reaction),
        extra: { viewerHasReacted: reactions.some(({ author }) => author.id === sight.asker.id) },
      })(args),
    reactionGroups: () => groupViews(sight, reactions),
    viewerCanReact: true,
  };
}

/** Always all eight, also those that nobody chose. */
function groupViews(sight: Sight, reactions: readonly Reaction[]): readonly View[] {
  return Object.entries(contentWords).map(([content, word]) => {
    const chosen = reactions.filter((reaction) => reaction.content === content);
    return {
      __typename: "ReactionGroup",
      content: word,
      createdAt: chosen[0] === undefined ? null : time(chosen[0].createdAt),
      viewerHasReacted: chosen.some(({ author }) => author.id === sight.asker.id),
      reactors: connection(sight, {
        name: "Reactor",
        items: chosen,
        toNode: ({ author }) => actorView(sight, author),
      }),
      users: connection(sight, {
        name: "ReactingUser",
        items: chosen,
        toNode: ({ author }) => actorView(sight, author),
      }),
    };
  });
}

export function reactionView(sight: Sight, subject: string, { author, content, createdAt }: Reaction): View {
  return {
    __typename: "Reaction",
    id: nodeId("REA", subject, author.id, content),
    databaseId: reactionNumber(subject, author.id, content),
    content: contentWords[content],
    createdAt: time(createdAt),
    user: actorView(sight, author),
  };
}
