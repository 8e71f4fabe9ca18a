import { lineStartBefore } from "#core/markdown/lines.ts";

/** A mark that strikes text out, or makes mathematics of it, up to another one of its kind. */
export interface PairedMark {
  readonly kind: "struck" | "formula" | "display" | "brackets";
  readonly start: number;
  readonly end: number;
  readonly mayOpen: boolean;
  readonly mayClose: boolean;
  /** Whether it may begin a block of mathematics, which goes on over blank lines. */
  readonly beginsBlock: boolean;
}

/**
 * One or two tildes or dollars, or a bracket behind a backslash. Forges differ in what may stand beside such a mark, so
 * only what nobody takes for a pair is left: "~5 minutes" and "~10 lines", "$5" and "$10".
 */
export function pairedMark(text: string, start: number, end: number): PairedMark | null {
  const before = text.charAt(start - 1).trim();
  const behind = text.charAt(end).trim();
  const isFirst = before === "" && lineStartBefore(text, start) !== null;
  const mark = { start, end, beginsBlock: false, mayOpen: behind !== "", mayClose: before !== "" };
  const sign = text.slice(start, end);
  if (sign === "~") return { ...mark, kind: "struck" };
  if (sign === "~~") return { ...mark, kind: "struck", mayOpen: true, mayClose: true };
  if (sign === "$$") return { ...mark, kind: "display", mayOpen: true, mayClose: true, beginsBlock: isFirst };
  if (/^\\[([]$/.test(sign))
    return { ...mark, kind: "brackets", mayOpen: isFirst, mayClose: false, beginsBlock: isFirst && behind === "" };
  if (/^\\[)\]]$/.test(sign)) return { ...mark, kind: "brackets", mayOpen: false, mayClose: behind === "" };
  if (sign !== "$") return null;
  const mayOpen = mark.mayOpen && !/[\p{L}\p{N}:]/u.test(before);
  return { ...mark, kind: "formula", mayOpen, mayClose: mark.mayClose && !/[\p{L}\p{N}]/u.test(behind) };
}

/**
 * What may stand between two marks of a kind: all from the first that may open to the last that may close. A block of
 * mathematics may go on over the end of the paragraph; where its marks do not add up, it has no end.
 */
export function betweenMarks(
  marks: readonly PairedMark[],
): readonly { readonly start: number; readonly end: number }[] {
  return (["struck", "formula", "display", "brackets"] as const).flatMap((kind) => {
    const same = marks.filter((mark) => mark.kind === kind);
    const first = same.find(({ mayOpen }) => mayOpen);
    const last = same.findLast(({ mayClose }) => mayClose);
    const isPair = first !== undefined && last !== undefined && first.start < last.start;
    const begun = same.find(({ beginsBlock }) => beginsBlock);
    const isOpen = kind === "display" ? same.length % 2 === 1 || begun !== first : !isPair;
    if (begun !== undefined && isOpen) return [{ start: same[0]?.start ?? begun.start, end: withoutEnd }];
    return isPair ? [{ start: first.start, end: last.end }] : [];
  });
}

const withoutEnd = Number.POSITIVE_INFINITY;
