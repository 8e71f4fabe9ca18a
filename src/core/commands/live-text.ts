import { readBlocks } from "#core/commands/block-structure.ts";
import { type Edition, mayDiffer } from "#core/commands/html-block.ts";
import { scanHtml } from "#core/commands/html-scan.ts";
import { type InertSpan, type InertText, inertText, withoutEnd } from "#core/commands/inert-text.ts";
import { scanInline } from "#core/commands/inline-scan.ts";
import type { Leaf } from "#core/commands/open-blocks.ts";
import { never } from "#core/never.ts";

export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The inert parts of a Markdown body, in order and without overlap, in time that grows with its length. It follows
 * CommonMark where that decides what people see, and leans to "inert" where renderers differ: a command that is
 * overlooked is said again, a command that nobody gave is not taken back.
 */
export function inertSpans(body: string): readonly InertSpan[] {
  const current = spansOf(body, "current");
  if (!mayDiffer(body)) return apart(current, body.length);
  // What is code for one edition only keeps no forge from calling the people named in it, so it is not told as code.
  const older = spansOf(body, "older").map(({ start, end }) => ({ kind: "html" as const, start, end }));
  return apart([...current, ...older], body.length);
}

/** Of places in rising order, those that start in live text. */
export function livePlaces<P extends Place>(places: readonly P[], inert: readonly InertSpan[]): readonly P[] {
  let index = 0;
  return places.filter((place) => {
    while ((inert[index]?.end ?? Number.POSITIVE_INFINITY) <= place.start) index++;
    return (inert[index]?.start ?? Number.POSITIVE_INFINITY) > place.start;
  });
}

/** Stands for something inert that people see. It is no letter, and no punctuation. */
const inertSign = "\uFFFC";

/** The text of a place with a blank for each comment in it, which nobody sees, and a sign for everything else inert. */
export function liveSlice(body: string, place: Place, inert: readonly InertSpan[]): string {
  let live = "";
  let at = place.start;
  for (let index = firstEndingAfter(inert, at); index < inert.length; index++) {
    const span = inert[index];
    if (span === undefined || span.start >= place.end) break;
    live += body.slice(at, Math.max(at, span.start)) + (span.kind === "comment" ? " " : inertSign);
    at = span.end;
  }
  return live + body.slice(at, Math.max(at, place.end));
}

/** By halves: a long comment may have as many command lines as inert parts. */
function firstEndingAfter(inert: readonly InertSpan[], at: number): number {
  let from = 0;
  let to = inert.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((inert[middle]?.end ?? at) <= at) from = middle + 1;
    else to = middle;
  }
  return from;
}

function spansOf(body: string, edition: Edition): readonly InertSpan[] {
  const { leaves, labels } = readBlocks(body, edition);
  const source = inertText(body, edition, labels);
  for (const leaf of leaves) {
    const known = source.spans.length;
    addLeaf(source, leaf);
    if (source.spans.slice(known).some((span) => span.end === withoutEnd)) break;
  }
  return source.spans;
}

function addLeaf(source: InertText, leaf: Leaf): void {
  switch (leaf.kind) {
    case "fence":
    case "indented":
    case "definition":
    case "quote":
      source.spans.push({ kind: leaf.kind, start: leaf.start, end: leaf.end });
      break;
    case "text":
      scanInline(source, leaf);
      break;
    case "html":
      scanHtml(source, leaf);
      break;
    case "quoted":
      if (swallows(leaf, source)) source.spans.push({ kind: "html", start: leaf.end, end: withoutEnd });
      break;
    default:
      return never(leaf);
  }
}

/** Whether HTML in a quote takes in what comes behind the quote. */
function swallows(leaf: Leaf & { readonly kind: "quoted" }, { edition, labels }: InertText): boolean {
  const { text, form } = leaf;
  if (!text.includes("<")) return false;
  const quoted = inertText(text, edition, labels);
  const place = { start: 0, end: text.length };
  if (form === null) scanInline(quoted, place);
  else scanHtml(quoted, { form, ...place });
  return quoted.spans.some((span) => span.end === withoutEnd);
}

/** In order and without overlap: of two spans the one that starts first, or else the longer, keeps what both hold. */
function apart(spans: readonly InertSpan[], limit: number): readonly InertSpan[] {
  const result: InertSpan[] = [];
  let from = 0;
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end || 0)) {
    const start = Math.max(span.start, from);
    const end = Math.min(span.end, limit);
    if (start >= end) continue;
    result.push({ kind: span.kind, start, end });
    from = end;
  }
  return result;
}
