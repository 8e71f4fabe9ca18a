import { encodedTexts } from "#core/prompt/encoded-text.ts";
import { hiddenWeight, withHiddenRead } from "#core/prompt/hidden-message.ts";
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
