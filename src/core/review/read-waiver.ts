import { inertSpans, livePlaces } from "#core/commands/live-text.ts";
import type { Untrusted } from "#core/model/ids.ts";

/**
 * Whether somebody waives the finding that they answer: a line that says `waive` or `waived` and nothing else, or goes on
 * with a colon and the reason; the handle may stand before it. Anything looser would take "Waive this? Never." at its
 * word. Whether they may waive is not asked here, and no model has a say in it.
 */
export function asksWaiver(body: Untrusted, handle: string): boolean {
  const places = Array.from(body.matchAll(/[^\r\n]+/g)).flatMap(({ 0: line, index }) =>
    isWaiver(line.trim(), handle) ? [{ start: index + line.search(/\S/), end: index + line.length }] : [],
  );
  return places.length > 0 && livePlaces(places, inertSpans(body)).length > 0;
}

function isWaiver(line: string, handle: string): boolean {
  const isAddressed = line.slice(0, handle.length).toLowerCase() === handle.toLowerCase();
  const behind = isAddressed ? /^[:,]?\s+(\S.*)$/.exec(line.slice(handle.length))?.[1] : line;
  return behind !== undefined && /^waived?(?:[.!]?$|:\s*\S)/i.test(behind);
}
