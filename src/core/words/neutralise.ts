import { findLiveMentions, findMentions, isNameAt, isWordContinued, type TextSpan } from "#core/commands/mentions.ts";
import { isCodeAt, liveText } from "#core/markdown/live-text.ts";

/** Invisible, takes no room, and no forge and no Drover reads a name across it. */
const zeroWidthSpace = "\u200B";

/** Hints in code stay: people copy them. The last step: cutting may take away the backtick that kept a hint inert. */
export function neutralise(text: string, handle: string): string {
  return breakUntilNone(text, {
    live: (written) => findLiveMentions(written, handle).map(behindSign),
    all: (written) => findMentions(written, handle).map(behindSign),
  });
}

/** Quotes and comments are no shelter: forges notify out of quotes. A character reference for `@` counts as one. */
export function neutraliseMentions(text: string, options: { readonly except: readonly string[] }): string {
  const names = options.except.map((login) => login.toLowerCase());
  const all = (written: string): readonly TextSpan[] =>
    findSigns(written).filter((sign) => mentionsSomebody(written, sign) && !isExcepted(written, sign, names));
  return breakUntilNone(text, {
    live: (written) => ends(outsideCode(written, all(written))),
    all: (written) => ends(all(written)),
  });
}

/** The MAC of a copy holds, so a repeated block could come back after the original is gone. */
export function neutraliseBlocks(text: string): string {
  return text.replace(/rmcoc/gi, (word) => `${word.slice(0, 2)}${zeroWidthSpace}${word.slice(2)}`);
}

/** A broken name may have been part of a link, so the code behind it changes. Endless texts lose names in code too. */
function breakUntilNone(
  text: string,
  find: {
    readonly live: (written: string) => readonly number[];
    readonly all: (written: string) => readonly number[];
  },
): string {
  let written = text;
  for (let round = 0; round < roundsMax; round++) {
    const places = find.live(written);
    if (places.length === 0) return written;
    written = insertAfter(written, places);
  }
  return find.live(written).length === 0 ? written : insertAfter(written, find.all(written));
}

const roundsMax = 4;

function behindSign(mention: TextSpan): number {
  return mention.start + 1;
}

function ends(places: readonly TextSpan[]): readonly number[] {
  return places.map((place) => place.end);
}

function outsideCode(text: string, places: readonly TextSpan[]): readonly TextSpan[] {
  if (places.length === 0) return places;
  const live = liveText(text);
  return places.filter(({ start }) => !isCodeAt(live, start));
}

function insertAfter(text: string, places: readonly number[]): string {
  let result = "";
  let at = 0;
  for (const place of places) {
    result += text.slice(at, place) + zeroWidthSpace;
    at = place;
  }
  return result + text.slice(at);
}

function findSigns(text: string): readonly TextSpan[] {
  return Array.from(text.matchAll(/@|&(?:#0*64|#x0*40|commat);/gi), ({ 0: sign, index }) => ({
    start: index,
    end: index + sign.length,
  }));
}

/** An underscore may end emphasis, and a forge calls people on both sides of it. */
function mentionsSomebody(text: string, sign: TextSpan): boolean {
  return /[\p{L}\p{N}_]/u.test(text.charAt(sign.end)) && !/[A-Za-z0-9]/.test(text.charAt(sign.start - 1));
}

function isExcepted(text: string, sign: TextSpan, lowerNames: readonly string[]): boolean {
  return lowerNames.some((name) => isNameAt(text, sign.end, name) && !isWordContinued(text, sign.end + name.length));
}
