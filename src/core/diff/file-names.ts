import { endsWith, sameBytes, startsWith } from "#core/diff/byte-scan.ts";
import { encodeText } from "#core/diff/decode-text.ts";
import type { MalformedWhy } from "#core/diff/diff-problem.ts";
import { type Cut, cutHeader, type StatedNames } from "#core/diff/header-cuts.ts";
import { type NamePair, type NamePrefixes, prefixRules } from "#core/diff/name-prefix.ts";
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
