import { decodeText } from "#core/diff/byte-scan.ts";
import { aboutInjection, type InjectionSign, injectionSigns, type SignKind } from "#core/prompt/injection-signs.ts";

export type InjectionKind = SignKind | "hidden" | "encoded";

export interface InjectionPlace {
  readonly line: number;
  readonly kinds: readonly InjectionKind[];
}

export interface Detection {
  readonly places: readonly InjectionPlace[];
  readonly isCut: boolean;
}

/** Searched in a fraction of a second. */
const charactersMax = 1_000_000;
const placesMax = 50;
/** An order is seldom far from whom it is given to. */
const windowLines = 3;
const weightMin = 2;

/** A hit is a hint for people: text of others is fenced data either way, and being flagged gives no advantage. */
export function detectInjection(text: string): Detection {
  const looked = text.slice(0, charactersMax);
  const places = placesOf(marksIn(looked), looked);
  return {
    places: places.slice(0, placesMax),
    isCut: looked.length < text.length || places.length > placesMax,
  };
}

interface Mark {
  readonly line: number;
  readonly kind: InjectionKind;
  readonly weight: number;
}

function marksIn(text: string): readonly Mark[] {
  const lines = text.split("\n");
  const hidden = lines.flatMap((line, index): readonly Mark[] => {
    const weight = hiddenWeight(line);
    return weight === 0 ? [] : [{ line: index + 1, kind: "hidden", weight }];
  });
  const said = wordMarks(withHiddenRead(text));
  return [...hidden, ...said, ...commentMarks(text, said), ...encodedMarks(text)];
}

/** Less where the words around are about such texts. */
function wordMarks(text: string): readonly Mark[] {
  const small = text.toLowerCase();
  const lineAt = lineCounter(small);
  return injectionSigns
    .filter(({ needs }) => needs.some((word) => small.includes(word)))
    .flatMap((sign) => placesOfSign(small, sign).map((at) => markAt(sign, small, at, lineAt)))
    .filter(({ weight }) => weight > 0);
}

const placesOfSignMax = 500;

function placesOfSign(small: string, { shape, isImperative }: InjectionSign): readonly number[] {
  const places: number[] = [];
  for (const { index, 0: found } of small.matchAll(shape)) {
    if (places.length >= placesOfSignMax) break;
    const before = small.slice(Math.max(0, index - beforeCharacters), index);
    // A line break may be the first character of what was found.
    if (!isImperative || isBeginning(before)) places.push(index + found.length - found.trimStart().length);
  }
  return places;
}

function markAt(sign: InjectionSign, small: string, at: number, lineAt: (at: number) => number): Mark {
  const { kind, weight } = sign;
  const isDiscounted = kind !== "address" && kind !== "speaker" && aboutInjection.test(around(small, at));
  return { line: lineAt(at), kind, weight: isDiscounted ? weight - 1 : weight };
}

const aroundCharacters = 160;

function around(small: string, at: number): string {
  return small.slice(Math.max(0, at - aroundCharacters), at + aroundCharacters);
}

const beforeCharacters = 40;

/** A line, a sentence or a list begins here, or words before press the reader to do something. */
function isBeginning(before: string): boolean {
  return /(?:^|\n)[ \t]*$|[.!?:;,>*#/"'`(){}\]—–-]\s*$/.test(before) || pressing.test(before);
}

const pressing =
  /\b(?:please|now|then|and|kindly|just|simply|always|immediately|must|should|shall|you (?:can|may|will|have to))\s+$/;

/** People do not see a comment of Markdown. Templates have comments, but give no such orders. */
function commentMarks(text: string, said: readonly Mark[]): readonly Mark[] {
  const orders = said.filter(({ kind }) => kind === "order");
  if (orders.length === 0 || !text.includes("<!--")) return [];
  const lineAt = lineCounter(text);
  const commented = new Set<number>();
  for (const { index, 0: comment } of text.matchAll(/<!--[\s\S]*?(?:-->|$)/g)) {
    const last = lineAt(index + comment.length);
    for (let line = lineAt(index); line <= last; line += 1) commented.add(line);
  }
  return orders.filter(({ line }) => commented.has(line)).map(({ line }) => ({ line, kind: "hidden", weight: 1 }));
}

/** An order that is hidden from people is meant as an order. */
function encodedMarks(text: string): readonly Mark[] {
  const lineAt = lineCounter(text);
  return encodedTexts(text)
    .filter((encoded) => wordMarks(encoded.text).length > 0)
    .map(({ at }) => ({ line: lineAt(at), kind: "encoded", weight: weightMin }));
}

/** Marks weigh together with those just below. A line is named once. */
function placesOf(marks: readonly Mark[], text: string): readonly InjectionPlace[] {
  if (text === "" || marks.length === 0) return [];
  const sorted = marks.toSorted((left, right) => left.line - right.line);
  const places: InjectionPlace[] = [];
  let after = 0;
  for (const [index, { line }] of sorted.entries()) {
    if (line <= after) continue;
    const near = sorted.slice(index, index + marksMax).filter((mark) => mark.line < line + windowLines);
    const weights = new Map<InjectionKind, number>();
    for (const { kind, weight } of near) weights.set(kind, Math.max(weight, weights.get(kind) ?? 0));
    if ([...weights.values()].reduce((sum, weight) => sum + weight, 0) < weightMin) continue;
    const heaviest = near.toSorted((left, right) => right.weight - left.weight)[0];
    places.push({ line: heaviest?.line ?? line, kinds: [...weights.keys()] });
    after = Math.max(...near.map((mark) => mark.line));
  }
  return places;
}

/** More marks on three lines say nothing new. */
const marksMax = 100;

function lineCounter(text: string): (at: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return (at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** A flag such as the one of Wales is written with tags behind a black flag. */
const flagSequence = /\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;

/** Invisible, and each stands for a letter of ASCII. */
const tagLetter = /[\u{e0020}-\u{e007e}]/gu;

const betweenLetters = /[a-z][\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff]+(?=[a-z])/gi;
const selectorRun = /[\u{e0100}-\u{e01ef}]{3}/u;
const fillerRun = /[\u115f\u1160\u200b-\u200f\u2060-\u206f\u3164\ufeff\uffa0]{8}/u;
const bidiOverride = /[\u202d\u202e]/u;
const bidiFrame = /[\u202a\u202b\u2066-\u2068]/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
// oxlint-disable-next-line no-control-regex -- the sequence by which a terminal hides what follows.
const concealed = /\u001b\[(?:\d+;)*8m/;
const farRight = / {100}\S/;

const tagsMin = 3;
const partedLettersMin = 4;

/** 2 for what has no other use, 1 for what may be a habit. Scripts, emoji and a byte order mark are writing. */
export function hiddenWeight(line: string): 0 | 1 | 2 {
  if (farRight.test(line)) return 1;
  if (!/[^\t -~]/.test(line)) return 0;
  const text = line.replace(flagSequence, "");
  const tags = text.match(tagLetter)?.length ?? 0;
  const parted = text.match(betweenLetters)?.length ?? 0;
  const isCertain =
    tags >= tagsMin ||
    parted >= partedLettersMin ||
    selectorRun.test(text) ||
    fillerRun.test(text) ||
    bidiOverride.test(text) ||
    concealed.test(text);
  if (isCertain) return 2;
  return bidiFrame.test(text) && !rightToLeft.test(text) ? 1 : 0;
}

/** Letters of tags as letters, and nothing between letters that cannot be seen. */
export function withHiddenRead(text: string): string {
  if (!/[^\t\n -~]/.test(text)) return text;
  return text
    .replace(tagLetter, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - tagsAt))
    .replace(/[\u034f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, "");
}

const tagsAt = 0xe0000;

const runsMax = 40;
const runCharactersMax = 8_000;
const wordsMin = 3;
/** Data that is no text has far fewer plain characters. */
const plainShareMin = 0.97;

/** Base64 or hexadecimal digits. Keys, hashes and pictures are no prose. */
export function encodedTexts(text: string): readonly { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = [];
  for (const run of text.matchAll(encodedRun)) {
    if (found.length >= runsMax) break;
    const written = run[0].slice(0, runCharactersMax);
    const bytes = /^[0-9a-f]+$/i.test(written) ? fromHex(written) : fromBase64(written);
    const prose = decodeText(bytes);
    if (isProse(prose)) found.push({ at: run.index, text: prose });
  }
  return found;
}

const encodedRun = /[A-Za-z0-9+/_-]{32,}={0,2}/g;

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: Math.floor(text.length / 2) }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function fromBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const letter of text.replaceAll("-", "+").replaceAll("_", "/")) {
    const value = digits.indexOf(letter);
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xff_ff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

function isProse(text: string): boolean {
  const plain = text.match(/[\w\s.,:;!?'"()@/`*#<>[\]-]/g)?.length ?? 0;
  return plain >= text.length * plainShareMin && text.trim().split(/\s+/).length >= wordsMin;
}
