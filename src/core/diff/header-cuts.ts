import { byte } from "#core/diff/byte-scan.ts";
import { isUsualPair, type NamePair } from "#core/diff/name-prefix.ts";
import { readName } from "#core/diff/quoted-name.ts";
import type { WrittenName } from "#core/diff/written-name.ts";

export interface StatedNames {
  readonly header: Uint8Array;
  readonly minus: WrittenName | undefined;
  readonly plus: WrittenName | undefined;
  /** Rename and copy lines carry no prefix. */
  readonly moved: NamePair | undefined;
}

export interface Cut {
  readonly old: WrittenName;
  readonly new: WrittenName;
}

/** A name with a quote in it is always quoted. Undefined: the quoting is broken. */
export function cutHeader(stated: StatedNames): readonly Cut[] | undefined {
  const { header } = stated;
  if (header[0] === byte.quote) {
    const first = readName(header, { from: 0, to: header.length });
    return first && cutAtQuotes(header, first.end);
  }
  const secondQuote = header.indexOf(byte.quote);
  if (secondQuote !== -1) return cutAtQuotes(header, secondQuote - 1);
  return placesToCut(stated).map((at) => ({
    old: plainName(header.subarray(0, at)),
    new: plainName(header.subarray(at + 1)),
  }));
}

function cutAtQuotes(header: Uint8Array, space: number): readonly Cut[] | undefined {
  if (header[space] !== byte.space) return undefined;
  const first = readName(header, { from: 0, to: space });
  const second = readName(header, { from: space + 1, to: header.length });
  if (first?.end !== space || second?.end !== header.length) return undefined;
  return [
    {
      old: { written: header.subarray(0, space), name: first.name, isDevNull: false },
      new: { written: header.subarray(space + 1), name: second.name, isDevNull: false },
    },
  ];
}

function plainName(written: Uint8Array): WrittenName {
  return { written, name: written, isDevNull: false };
}

/** A hostile name of thousands of spaces must not cost the square of its length, so lengths are asked first. */
function placesToCut({ header, minus, plus, moved }: StatedNames): readonly number[] {
  if (minus && !minus.isDevNull) return onlySpaces(header, [minus.written.length]);
  if (plus && !plus.isDevNull) return onlySpaces(header, [header.length - plus.written.length - 1]);
  const middle = (header.length - 1) / 2;
  if (moved === undefined && header[middle] === byte.space) {
    if (isUsualPair({ old: header.subarray(0, middle), new: header.subarray(middle + 1) })) return [middle];
  }
  const first = moved?.old.length ?? 0;
  const last = header.length - 1 - (moved?.new.length ?? 0);
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return onlySpaces(header, places);
}

function onlySpaces(header: Uint8Array, places: readonly number[]): readonly number[] {
  return places.filter((at) => header[at] === byte.space);
}
