import type { Reaction } from "#core/model/conversation.ts";

export const reactionWords = {
  "+1": "a thumb up",
  "-1": "a thumb down",
  laugh: "a laugh",
  hooray: "a hooray",
  confused: "a confused face",
  heart: "a heart",
  rocket: "a rocket",
  eyes: "eyes",
} as const satisfies Record<Reaction["content"], string>;
