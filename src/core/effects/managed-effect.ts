import type { BlockContext, BlockSecret } from "#core/blocks/block-mac.ts";
import { markOf, readMark } from "#core/effects/effect-mark.ts";

/** If the managed comment is deleted, it is written again under the next number. */
export const managedWrittenMax = 50;

/** The name of the effect that writes the managed comment for the n-th time. */
export function managedEffect(number: number): string {
  return number === 1 ? "managed_comment" : `managed_comment/${number}`;
}

/**
 * Whether a managed comment of the bot's account is ours, by its mark. Another job may have the same account and another
 * secret: each would replace the words and the notes of the other, without end. One without a mark is ours.
 */
export function isOwnManaged(context: BlockContext, secret: BlockSecret): (body: string) => boolean {
  return (body) => {
    const mark = readMark(body);
    if (mark === undefined) return true;
    for (let number = 1; number < managedWrittenMax; number++) {
      if (markOf(managedEffect(number), context, secret) === mark) return true;
    }
    return false;
  };
}
