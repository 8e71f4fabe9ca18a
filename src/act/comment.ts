import { composeBody } from "#act/body.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { type Announce, ensureOnce } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import type { ThreadId } from "#core/model/ids.ts";

/** A comment of the bot's own that is to be there once. */
export interface CommentEffect extends Omit<Effect, "lane"> {
  /** Where it must not overtake another effect; else it waits for nobody. */
  readonly lane?: string;
  /** In a thread, as a reply; null in the conversation of the pull. */
  readonly thread: ThreadId | null;
  /** Already outgoing; people who are to be called stand before it. */
  readonly words: string;
  readonly blocks: readonly BlockContent[];
  readonly announce?: Announce;
}

export async function ensureComment(turn: Turn, made: CommentEffect): Promise<Outcome> {
  const { thread, words, blocks, announce, ...named } = made;
  const effect: Effect = { ...named, lane: named.lane ?? named.key };
  return await ensureOnce(turn, effect, {
    compose: () => composeBody(turn, { mark: { effect: effect.key }, words, blocks }),
    send: async (body) =>
      thread === null
        ? await turn.parts.forge.createComment({ pull: turn.ref, body })
        : await turn.parts.forge.replyInThread({ pull: turn.ref, thread, body }),
    ...(announce === undefined ? {} : { announce }),
  });
}
