import type { BlockContext } from "#core/blocks/block-mac.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import { markOf, readMark } from "#core/effects/effect-mark.ts";

/** A deleted managed comment is written again under the next number. */
export const managedWrittenMax = 50;

export function managedEffect(number: number): string {
  return number === 1 ? "managed_comment" : `managed_comment/${number}`;
}

/** Another job with the same account and another secret would replace ours without end. One without a mark is ours. */
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
