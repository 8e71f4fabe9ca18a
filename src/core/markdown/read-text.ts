import { type Token } from "markdown-it";
import { type Page, readTag } from "#core/markdown/html-tags.ts";
import { lineStartBefore } from "#core/markdown/lines.ts";

interface PairedMark {
  readonly kind: "struck" | "formula" | "display" | "brackets";
  readonly start: number;
  readonly end: number;
  readonly mayOpen: boolean;
  readonly mayClose: boolean;
  /** A block of mathematics goes on over blank lines. */
  readonly beginsBlock: boolean;
}

/** Forges differ here, so only what none takes for a pair is left: "~5 minutes" and "~10 lines", "$5" and "$10". */
function pairedMark(text: string, start: number, end: number): PairedMark | null {
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

/** From the first mark that may open to the last that may close. Mathematics with unpaired marks has no end. */
function betweenMarks(marks: readonly PairedMark[]): readonly { readonly start: number; readonly end: number }[] {
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

/** It is no letter, and no punctuation. */
export const inertSign = "\uFFFC";
export const codeSign = "\uFDD0";

/** Code, tags, addresses and escapes follow CommonMark. Behind a link that fits no pattern, the rest is inert. */
export function readParagraphs({ type, content, map }: Token, page: Page): string {
  const isHtml = type === "html_block";
  const block = isHtml ? "HTML" : `line ${map?.[0]}`;
  const reading: Reading = {
    text: content,
    isHtml,
    block,
    page,
    shown: content.split(""),
    marks: [],
    nextRun: backtickRuns(content),
  };
  readMarks(reading);
  for (const { start, end } of betweenMarks(reading.marks)) {
    page.isLost ||= end > content.length;
    hide(reading, start, Math.min(end, content.length));
  }
  if (isHtml) for (const { 0: code, index } of content.matchAll(/`[^\n]*`/g)) hide(reading, index, index + code.length);
  // Some forges have containers for footnotes and definitions, and a title may go on over what looks like a list.
  const contained = /^[ \t]*(?:\[(?:\\.|[^[\]\\])*\]:|:[ \t])[^\n]*\n/m.exec(content);
  if (contained !== null) hide(reading, contained.index + contained[0].length, content.length);
  return reading.shown.join("");
}

interface Reading {
  readonly text: string;
  readonly isHtml: boolean;
  readonly block: string;
  readonly page: Page;
  readonly shown: string[];
  readonly marks: PairedMark[];
  readonly nextRun: (length: number, from: number) => number | null;
}

function readMarks(reading: Reading): void {
  const { text, page, marks } = reading;
  let hiddenFrom = page.open.length > 0 ? 0 : null;
  const special = /[\\`<!\]~$]/g;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const start = found.index;
    const end = readMark(reading, start);
    if (end === null || page.isLost) {
      const from = marks[0]?.start ?? start;
      if (reading.isHtml || page.isLost || /<|\$\$|\\\[/.test(text.slice(start))) loseFrom(reading, from);
      else hide(reading, from, text.length);
      break;
    }
    special.lastIndex = end;
    if (page.open.length > 0) hiddenFrom ??= start;
    else if (hiddenFrom !== null) {
      hide(reading, hiddenFrom, end);
      hiddenFrom = null;
    }
  }
  if (hiddenFrom !== null) hide(reading, hiddenFrom, text.length);
}

/** Null where it is not certain where to go on. */
function readMark(reading: Reading, start: number): number | null {
  const { text, isHtml } = reading;
  switch (text[start]) {
    case "<":
      return readAngle(reading, start);
    case "`":
      return isHtml ? start + 1 : readBackticks(reading, start);
    case "!":
    case "]":
      return isHtml ? start + 1 : readLinkPart(reading, start);
    case "\\":
      noteMark(reading, start, start + 2);
      return !isHtml && /[!-/:-@[-`{-~]/.test(text.charAt(start + 1)) ? start + 2 : start + 1;
    default: {
      const end = start + runAt(text, start);
      noteMark(reading, start, end);
      return end;
    }
  }
}

function noteMark({ text, marks }: Reading, start: number, end: number): void {
  const mark = pairedMark(text, start, end);
  if (mark !== null) marks.push(mark);
}

/** As CommonMark writes it out. It may hold backticks. */
const address =
  /<(?:[a-z][a-z0-9.+-]{1,31}:[^<>\p{Cc} ]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*)>/iuy;

function readAngle(reading: Reading, start: number): number | null {
  const { text, isHtml, page, block } = reading;
  if (text.startsWith("<!--", start)) return readComment(reading, start);
  if (/[!?]/.test(text.charAt(start + 1))) return null;
  address.lastIndex = start;
  if (!isHtml && address.test(text)) return address.lastIndex;
  const end = readTag(page, text, { start, block });
  // A browser takes nearly everything for the beginning of a tag.
  if (end === null) return isHtml && /[a-z/]/i.test(text.charAt(start + 1)) ? null : start + 1;
  hide(reading, start, end);
  return end;
}

function readComment(reading: Reading, start: number): number | null {
  const { text, isHtml } = reading;
  const close = text.indexOf("-->", start + 4);
  const within = text.slice(start + 4, close);
  if (close === -1 || (isHtml ? /^-?>|--!>/ : /^-?>|--|-$/).test(within)) return null;
  hide(reading, start, close + 3, " ");
  return close + 3;
}

/** GitHub takes no longer runs for code. */
const backticksMax = 80;

function readBackticks(reading: Reading, start: number): number | null {
  const { text, nextRun, page } = reading;
  const length = runAt(text, start);
  if (length > backticksMax) return null;
  const close = nextRun(length, start + length);
  if (close === null) return start + length;
  const end = close + length;
  // In a table, code that reaches into another cell is none. A bar behind a single backslash is no border.
  if (page.hasTable && /\n|(?:^|[^\\]|\\\\)\|/.test(text.slice(start, end))) return null;
  hide(reading, start, end, codeSign);
  return end;
}

/** Any character but the marks that would mean something if there is no link. */
const plain = String.raw`[^\[\]\\<~$!\x60]`;
const inWord = String.raw`(?![()\s>])${plain}`;
const title = `(?:"(?:(?!")${plain})*"|'(?:(?!')${plain})*')`;
const target = String.raw`\((?:${inWord})*(?:\((?:${inWord})*\)(?:${inWord})*)*(?:\s+${title})?\s*\)`;
const linkPart = new RegExp(String.raw`!\[${plain}*(?=\])|\]${target}|\]\[${plain}*\]`, "y");

function readLinkPart(reading: Reading, start: number): number | null {
  const { text } = reading;
  if (!["![", "](", "]["].includes(text.slice(start, start + 2))) return start + 1;
  linkPart.lastIndex = start;
  if (!linkPart.test(text)) return null;
  hide(reading, start + 1, linkPart.lastIndex);
  return linkPart.lastIndex;
}

function runAt(text: string, start: number): number {
  let end = start;
  while (text[end] === text[start]) end++;
  return end - start;
}

/** It is asked in rising order, so a whole text costs one pass. */
function backtickRuns(text: string): (length: number, from: number) => number | null {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of Array.from(text.matchAll(/`+/g)).toReversed()) {
    const same = runs.get(run.length) ?? [];
    same.push(index);
    runs.set(run.length, same);
  }
  return (length, from) => {
    const ahead = runs.get(length) ?? [];
    while ((ahead.at(-1) ?? from) < from) ahead.pop();
    return ahead.at(-1) ?? null;
  };
}

function loseFrom(reading: Reading, start: number): void {
  reading.page.isLost = true;
  hide(reading, start, reading.text.length);
}

function hide({ text, shown }: Reading, start: number, end: number, sign = inertSign): void {
  for (let at = start; at < end; at++) if (text[at] !== "\n") shown[at] = sign;
}
