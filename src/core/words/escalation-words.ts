import type { HeadSha } from "#core/model/ids.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function mergeReturnedWords(head: HeadSha): string {
  return `The forge took ${codeSpan(shortSha(head))} out of its merge queue without merging it. Drover does not queue this head again. Push a new head, or comment \`merge\` again.`;
}
