import type { BlockContext } from "#core/blocks/block-mac.ts";
import { digestOf } from "#core/model/digest.ts";

/** Stands in the log and in the comment. The same task of the same pull has the same. */
export function failureId({ instance, repository, pull }: BlockContext, task: string): string {
  return digestOf(JSON.stringify([instance, repository, pull, task])).slice(0, 10);
}
