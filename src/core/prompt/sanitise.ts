import type { Untrusted } from "#core/model/ids.ts";
import { breakHandles } from "#core/prompt/handles.ts";
import { showHiddenCharacters } from "#core/prompt/hidden-characters.ts";

/**
 * In prose an HTML comment is unseen, a line can pose as a speaker, and a handle calls somebody. In code all three are
 * code: leaving a comment out would hide what stands between two strings, and `@Injectable` with another sign would be
 * quoted and suggested so.
 */
export type TextForm = "prose" | "code";

/** Nothing is hidden in it, and nothing poses as the frame. Idempotent. What is altered stays visible as such. */
export function sanitise(text: Untrusted, form: TextForm = "prose"): string {
  let written: string = text;
  if (form === "code" && !isOdd.test(written)) return written;
  for (let round = 0; round < roundsMax; round++) {
    const next = form === "prose" ? cleanProse(cleanCode(written)) : cleanCode(written);
    if (next === written) return written;
    written = next;
  }
  return written;
}

/** Nearly all code is plain ASCII without what `cleanCode` looks for, and is done with. */
const isOdd = /[^\t\n -~]|<(?:\/?untrusted|\||<)|INST\]/i;

/** Every change leaves something visible between what it parts, so two rounds are enough; the rest is a margin. */
const roundsMax = 6;

function cleanCode(text: string): string {
  return showHiddenCharacters(wellFormed(text))
    .replace(/<(\/?)(untrusted)/gi, "‹$1$2")
    .replace(/<\|(\/?[\w-]{1,40})\|>/g, "<¦$1¦>")
    .replace(/\[(\/?)INST\]/g, "($1INST)")
    .replace(/<<(\/?)SYS>>/g, "‹‹$1SYS››");
}

/** Half of a surrogate pair is no text, and no provider takes it. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text;
}

function cleanProse(text: string): string {
  const framed = text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, leftOut)
    .replace(speaker, (_, before: string, name: string) => `${before}${name} (quoted):`)
    .replace(/<(\/?)(system|assistant|user|human|instructions?|tool_(?:call|result))(?=[\s>/])/gi, "‹$1$2");
  return breakHandles(framed);
}

/** A line that begins as if the other side of the conversation spoke. */
const speaker = /^([ \t#>*_-]{0,12})(system|assistant|user|human|developer)(?: prompt| message)?[ \t*_]{0,4}:/gim;

function leftOut(comment: string): string {
  return `[a comment of ${comment.length} characters left out]`;
}

export function unsanitise(quote: string): string {
  return quote
    .replace(/‹(\/?)(untrusted)/gi, "<$1$2")
    .replace(/<¦(\/?[\w-]{1,40})¦>/g, "<|$1|>")
    .replace(/\((\/?)INST\)/g, "[$1INST]")
    .replace(/‹‹(\/?)SYS››/g, "<<$1SYS>>");
}
