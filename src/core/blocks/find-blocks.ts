import { blockLimits } from "#core/blocks/block-limits.ts";
import { blockInfo } from "#core/blocks/encode-block.ts";
import { isLineBreak, lineEnd, nextLine } from "#core/markdown/lines.ts";

export type FoundBlock = { readonly kind: "whole"; readonly json: string } | { readonly kind: "broken" };

/** Ignores the Markdown around: words above may leave a fence open. A block holds no backtick, so a broken one ends. */
export function findBlocks(text: string): readonly FoundBlock[] {
  const found: FoundBlock[] = [];
  let at = text.indexOf(blockInfo);
  while (at !== -1 && found.length <= blockLimits.blocksPerTextMax) {
    const marks = fenceBefore(text, at);
    let next = at + blockInfo.length;
    if (marks !== null && text.slice(next, lineEnd(text, next)).trim() === "") {
      const start = nextLine(text, lineEnd(text, next));
      const backtick = text.indexOf("`", start);
      next = backtick === -1 ? text.length : backtick;
      found.push(backtick === -1 ? broken : readBlock(text, { start, end: backtick }, marks));
    }
    at = text.indexOf(blockInfo, next);
  }
  return found;
}

const broken: FoundBlock = { kind: "broken" };

function fenceBefore(text: string, at: number): number | null {
  let start = at;
  while (start > 0 && text[start - 1] === "`") start--;
  const marks = at - start;
  return marks >= 3 && isLineStart(text, start) ? marks : null;
}

function readBlock(text: string, place: { readonly start: number; readonly end: number }, marks: number): FoundBlock {
  const { start, end } = place;
  const closing = text.slice(end, lineEnd(text, end)).trim();
  const isClosed = isLineStart(text, end) && closing.length >= marks && closing === "`".repeat(closing.length);
  return isClosed ? { kind: "whole", json: text.slice(start, end).trim() } : broken;
}

/** Up to three spaces may stand before a fence. */
function isLineStart(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 3 && text[start - 1] === " ") start--;
  return start === 0 || isLineBreak(text.charCodeAt(start - 1));
}
