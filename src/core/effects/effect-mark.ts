import type { BlockContext } from "#core/blocks/block-mac.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";

/** Counts only in a text of the bot's own account. Signed for one pull, so a copy on another is not valid. */
export function markOf(effect: string, context: BlockContext, secret: BlockSecret): string {
  const message = JSON.stringify([purpose, context.instance, context.repository, context.pull, effect]);
  return secret.authenticate(new TextEncoder().encode(message)).slice(0, markDigits);
}

/** Another use of the secret than that of the state blocks signs other messages. */
const purpose = "drover effect 1";

/** 128 bits: no text has one by chance. */
const markDigits = 32;

export function writeMark(mark: string): string {
  return `<!-- drover:effect ${mark} -->`;
}

const pattern = /^<!-- drover:effect ([0-9a-f]{32}) -->\r?$/;

/** Drover puts it into the head of a text; further down it is a quotation. */
const headLinesMax = 3;

export function readMark(text: string): string | undefined {
  for (const line of text.split("\n", headLinesMax)) {
    const found = pattern.exec(line);
    if (found !== null) return found[1];
  }
  return undefined;
}

export const blankedText = "<!-- drover:blanked -->\n_Said already: this comment was sent twice and has been blanked._";
