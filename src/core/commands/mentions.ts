import { isNameAt } from "#core/commands/inline-marks.ts";
import { inertSpans, livePlaces, type Place } from "#core/commands/live-text.ts";

/**
 * Every place where the handle stands whole, live or not. A body without it costs one search for `@`: that is nearly
 * every comment of a long conversation.
 */
export function findMentions(body: string, handle: string): readonly Place[] {
  const lowerHandle = handle.toLowerCase();
  const places: Place[] = [];
  for (let start = body.indexOf("@"); start !== -1; start = body.indexOf("@", start + 1)) {
    const end = start + handle.length;
    if (!isNameAt(body, start, lowerHandle)) continue;
    if (!isWordBefore(body, start) && !isWordContinued(body, end)) places.push({ start, end });
  }
  return places;
}

export function findLiveMentions(body: string, handle: string): readonly Place[] {
  const places = findMentions(body, handle);
  return places.length === 0 ? places : livePlaces(places, inertSpans(body));
}

/**
 * Whether what stands here goes on, so that what stood before is only its beginning: `@drover-x`, `@drover.x` and
 * `@drover/x` are somebody else, but a full stop, an ellipsis or a closing bracket ends a name. Letters of all scripts
 * go on, and so do marks and invisible characters with a letter behind them: look-alikes are made of these.
 */
export function isWordContinued(body: string, at: number): boolean {
  const goesOn = /(?:[-\p{Cf}]*|[./@])[\p{L}\p{N}\p{M}_]/uy;
  goesOn.lastIndex = at;
  return goesOn.test(body);
}

/** `mail@drover` is an address, not a mention. */
function isWordBefore(body: string, at: number): boolean {
  return /[\p{L}\p{N}\p{M}_]$/u.test(body.slice(Math.max(0, at - 2), at));
}
