import { liveText } from "#core/markdown/live-text.ts";

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Live or not. Without a mention a body costs one search for `@`. */
export function findMentions(body: string, handle: string): readonly TextSpan[] {
  const lowerHandle = handle.toLowerCase();
  const places: TextSpan[] = [];
  for (let start = body.indexOf("@"); start !== -1; start = body.indexOf("@", start + 1)) {
    const end = start + handle.length;
    if (!isNameAt(body, start, lowerHandle)) continue;
    if (!isWordBefore(body, start) && !isWordContinued(body, end)) places.push({ start, end });
  }
  return places;
}

export function findLiveMentions(body: string, handle: string): readonly TextSpan[] {
  const places = findMentions(body, handle);
  return places.length === 0 ? places : liveMentions(places, liveText(body));
}

export function liveMentions(places: readonly TextSpan[], live: string): readonly TextSpan[] {
  return places.filter(({ start }) => live[start] === "@");
}

/** Letters of all scripts go on, and so do marks and invisible characters before a letter: look-alikes use these. */
export function isWordContinued(body: string, at: number): boolean {
  const goesOn = /(?:[-\p{Cf}]*|[./@])[\p{L}\p{N}\p{M}_]/uy;
  goesOn.lastIndex = at;
  return goesOn.test(body);
}

/** ASCII only: the Kelvin sign lower-cases to `k`, and is none. */
export function isNameAt(body: string, start: number, lowerName: string): boolean {
  if (start + lowerName.length > body.length) return false;
  for (let index = 0; index < lowerName.length; index++) {
    if (asciiLower(body.charCodeAt(start + index)) !== lowerName.charCodeAt(index)) return false;
  }
  return true;
}

function asciiLower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** `mail@drover` is an address, not a mention. */
function isWordBefore(body: string, at: number): boolean {
  return /[\p{L}\p{N}\p{M}_]$/u.test(body.slice(Math.max(0, at - 2), at));
}
