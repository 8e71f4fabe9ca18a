import type { Untrusted } from "#core/model/ids.ts";
import { breakHandles } from "#core/prompt/handles.ts";
import { showHiddenCharacters } from "#core/prompt/hidden-characters.ts";

/**
 * How a text is read. In prose an HTML comment is something that its readers do not see, a line can pose as another
 * speaker, and a handle calls somebody. In code all three are code: leaving a comment out would hide from the reviewer
 * whatever somebody puts between two strings that look like its ends, and `@Injectable` or `@scope/name` with another
 * sign would be quoted, searched for and suggested with it. That holds for the handle of the bot as well: a remark in a
 * diff that speaks to it has no effect there, and none where a model repeats it, since `core/words` breaks it.
 */
export type TextForm = "prose" | "code";

/**
 * Text of others as a model may see it: with nothing hidden in it, and nothing that poses as the frame around it. Doing
 * it again changes nothing. Everything that is taken away or altered stays visible as such.
 */
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

/** Whatever is not plain ASCII, and all that `cleanCode` looks for: nearly all code has none of it, and is done with. */
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

/** A quote out of code that was sanitised, with the look-alikes turned back. */
export function unsanitise(quote: string): string {
  return quote
    .replace(/‹(\/?)(untrusted)/gi, "<$1$2")
    .replace(/<¦(\/?[\w-]{1,40})¦>/g, "<|$1|>")
    .replace(/\((\/?)INST\)/g, "[$1INST]")
    .replace(/‹‹(\/?)SYS››/g, "<<$1SYS>>");
}
