import type { HeadSha } from "#core/model/ids.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function mergeReturnedWords(head: HeadSha): string {
  return `The forge was to merge ${codeSpan(shortSha(head))} and has let go of it: its queue took the pull out, or somebody did. It is not handed over again by itself. A new head or another \`merge\` command does that.`;
}
