import { liveText } from "#core/markdown/live-text.ts";
import { findingLimits } from "#core/model/finding.ts";
import type { Untrusted } from "#core/model/ids.ts";

export interface Waiver {
  readonly reason: string | null;
}

/** A line that says `waive` alone, or with a colon and the reason: "Waive this? Never." is none. No model has a say. */
export function readWaiver(body: Untrusted, handle: string): Waiver | null {
  const lines = Array.from(body.matchAll(/[^\r\n]+/g)).flatMap(({ 0: line, index }) => {
    const waiver = waiverIn(line.trim(), handle);
    return waiver === null ? [] : [{ waiver, start: index + line.search(/\S/) }];
  });
  if (lines.length === 0) return null;
  const live = liveText(body);
  return lines.find(({ start }) => live[start] === body[start])?.waiver ?? null;
}

export function asksWaiver(body: Untrusted, handle: string): boolean {
  return readWaiver(body, handle) !== null;
}

function waiverIn(line: string, handle: string): Waiver | null {
  const isAddressed = line.slice(0, handle.length).toLowerCase() === handle.toLowerCase();
  const behind = isAddressed ? /^[:,]?\s+(\S.*)$/.exec(line.slice(handle.length))?.[1] : line;
  const waived = behind === undefined ? null : /^waived?(?:[.!]?$|:\s*(\S.*))/i.exec(behind);
  if (waived === null) return null;
  return { reason: waived[1]?.slice(0, findingLimits.waiverCharactersMax) ?? null };
}
