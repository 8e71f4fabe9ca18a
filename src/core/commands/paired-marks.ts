import type { InertSpan } from "#core/commands/inert-text.ts";

/**
 * Marks that strike text out or make mathematics of it, as they are met in a paragraph in order. What stands between two
 * of a kind is inert. Forges differ in what may stand beside such a mark, so only what nobody takes for a pair is left:
 * "~5 minutes" and "~10 lines", "$5" and "$10".
 */
export interface PairedMarks {
  readonly open: Map<string, number>;
}

export function noPairedMarks(): PairedMarks {
  return { open: new Map() };
}

export const displayMark = "$$";

/** Where a display of mathematics began that the paragraph does not end. */
export function displayStart({ open }: PairedMarks): number | null {
  return open.get(displayMark) ?? null;
}

/** Takes note of the mark at a place, if one stands there; returns where it ends. */
export function seePairedMark(
  { open }: PairedMarks,
  place: { readonly text: string; readonly start: number; readonly end: number; readonly spans: InertSpan[] },
): number | null {
  const mark = markAt(place.text, place.start, place.end);
  if (mark === null) return null;
  const { name, length, opens, closes } = mark;
  const end = place.start + length;
  const opened = open.get(name);
  if (opened !== undefined && closes) {
    place.spans.push({ kind: mark.kind, start: opened, end });
    open.delete(name);
  } else if (opened === undefined && opens) open.set(name, place.start);
  return end;
}

interface PairedMark {
  readonly kind: "struck" | "math";
  readonly name: string;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

function markAt(text: string, start: number, end: number): PairedMark | null {
  if (text[start] === "\\") return bracketAt(text, start);
  const sign = text[start];
  if (sign !== "~" && sign !== "$") return null;
  let length = 1;
  while (start + length < end && text[start + length] === sign) length++;
  const kind = sign === "~" ? "struck" : "math";
  if (length > 2) return { kind, name: "", length, opens: false, closes: false };
  const name = sign.repeat(length);
  if (length === 2) return { kind, name, length, opens: true, closes: true };
  const before = text[start - 1];
  const behind = start + 1 < end ? text[start + 1] : undefined;
  const opens = isShown(behind) && (sign === "~" || before === undefined || /[\s([{'"*_~]/.test(before));
  return {
    kind,
    name,
    length,
    opens,
    closes: isShown(before) && !(sign === "$" && /[\p{L}\p{N}]/u.test(behind ?? "")),
  };
}

/** `\(…\)` and `\[…\]`, which some forges take for mathematics where they begin and end lines. */
function bracketAt(text: string, start: number): PairedMark | null {
  const sign = text[start + 1] ?? "";
  const at = "([)]".indexOf(sign);
  if (sign === "" || at === -1) return null;
  const opens = at < 2 && /^[\r\n]?$/.test(text.charAt(start - 1));
  const closes = at >= 2 && /^\s?$/.test(text.charAt(start + 2));
  return { kind: "math", name: at % 2 === 0 ? "\\(" : "\\[", length: 2, opens, closes };
}

function isShown(mark: string | undefined): boolean {
  return mark !== undefined && !/\s/.test(mark);
}
