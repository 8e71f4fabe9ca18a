import { byte, encodeText, endsWith, sameBytes, startsWith } from "#core/diff/byte-scan.ts";
import type { MalformedWhy } from "#core/diff/diff-problem.ts";
import { isUsualPair, type NamePair, type NamePrefixes, prefixRules } from "#core/diff/name-prefix.ts";
import { readName } from "#core/diff/quoted-name.ts";
import type { WrittenName } from "#core/diff/written-name.ts";

export type ResolvedNames =
  | { readonly kind: "names"; readonly names: NamePair }
  | { readonly kind: "unresolved"; readonly why: MalformedWhy };

/** The `diff --git` line can be cut at any space. Contradicting lines are refused: two readers might see two files. */
export function resolveNames(stated: StatedNames, prefixes: NamePrefixes | undefined): ResolvedNames {
  const cuts = cutHeader(stated);
  if (cuts === undefined) return unresolved("bad_name");
  const fitting = cuts.filter((cut) => fits(cut, stated));
  if (fitting.length === 0) return unresolved("inconsistent_names");
  const names = stated.moved ?? stripPrefixes(fitting, prefixes);
  if (names === undefined) return unresolved(prefixes === undefined ? "ambiguous_names" : "inconsistent_names");
  if (names.old.length === 0 || names.new.length === 0) return unresolved("bad_name");
  return { kind: "names", names };
}

function unresolved(why: MalformedWhy): ResolvedNames {
  return { kind: "unresolved", why };
}

function fits(cut: Cut, { minus, plus, moved }: StatedNames): boolean {
  if (minus !== undefined && !minus.isDevNull && !sameBytes(cut.old.written, minus.written)) return false;
  if (plus !== undefined && !plus.isDevNull && !sameBytes(cut.new.written, plus.written)) return false;
  return moved === undefined || (endsWith(cut.old.name, moved.old) && endsWith(cut.new.name, moved.new));
}

function stripPrefixes(cuts: readonly Cut[], prefixes: NamePrefixes | undefined): NamePair | undefined {
  const pairs = cuts.map((cut): NamePair => ({ old: cut.old.name, new: cut.new.name }));
  for (const rule of prefixRules(prefixes)) {
    const stripped = pairs.map(rule.strip).filter((pair) => pair !== undefined);
    const isTaken =
      rule.fits === "first_cut"
        ? stripped.length > 0
        : stripped.length === 1 && (rule.fits === "only_cut" || pairs.length === 1);
    if (isTaken) return stripped[0];
  }
  return prefixes === undefined && pairs.length === 1 ? pairs[0] : undefined;
}

/** Such a diff cannot say renamed, so `x.orig` and `x` are one name, chosen as `git apply` does. */
export function resolvePlainNames(
  { minus, plus }: { readonly minus: WrittenName; readonly plus: WrittenName },
  prefixes: NamePrefixes | undefined,
): ResolvedNames {
  if (minus.isDevNull && plus.isDevNull) return unresolved("contradictory_header");
  const stripped =
    minus.isDevNull || plus.isDevNull
      ? stripLone({ minus, plus }, prefixes)
      : stripPrefixes([{ old: minus, new: plus }], prefixes);
  if (stripped === undefined) return unresolved("inconsistent_names");
  const name = startsWith(stripped.new, stripped.old) ? stripped.old : stripped.new;
  return name.length === 0 ? unresolved("bad_name") : { kind: "names", names: { old: name, new: name } };
}

/** Beside /dev/null there is nothing to compare with: only the default prefix or a known one comes off. */
function stripLone(
  { minus, plus }: { readonly minus: WrittenName; readonly plus: WrittenName },
  prefixes: NamePrefixes | undefined,
): NamePair {
  const { name } = minus.isDevNull ? plus : minus;
  const prefix = encodeText(minus.isDevNull ? (prefixes?.new ?? "b/") : (prefixes?.old ?? "a/"));
  const stripped = startsWith(name, prefix) ? name.subarray(prefix.length) : name;
  return { old: stripped, new: stripped };
}

/** All that the header lines of a git diff say about the names of one file. */
interface StatedNames {
  /** What follows `diff --git `: both names with a space between them. */
  readonly header: Uint8Array;
  /** The names of the `---` and `+++` lines. */
  readonly minus: WrittenName | undefined;
  readonly plus: WrittenName | undefined;
  /** The names of the rename or copy lines, which carry no prefix. */
  readonly moved: NamePair | undefined;
}

/** A header line cut in two. */
interface Cut {
  readonly old: WrittenName;
  readonly new: WrittenName;
}

/** A name with a quote in it is always quoted. Undefined: the quoting is broken. */
function cutHeader(stated: StatedNames): readonly Cut[] | undefined {
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
