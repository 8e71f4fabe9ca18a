import { byte, sameBytes, startsWith } from "#core/diff/byte-scan.ts";
import { encodeText } from "#core/diff/decode-text.ts";

export interface NamePrefixes {
  readonly old: string;
  readonly new: string;
}

export interface NamePair {
  readonly old: Uint8Array;
  readonly new: Uint8Array;
}

export interface PrefixRule {
  readonly strip: (written: NamePair) => NamePair | undefined;
  /** The first of several cuts that it fits; a cut that is the only one it fits; or one that had no alternative. */
  readonly fits: "first_cut" | "only_cut" | "lone_cut";
}

/** Best first: git's defaults, then `git apply`'s way, then a common tail. Equal prefixes look like `--no-prefix`. */
export function prefixRules(prefixes: NamePrefixes | undefined): readonly PrefixRule[] {
  if (prefixes === undefined) return guessingRules;
  const known = { old: encodeText(prefixes.old), new: encodeText(prefixes.new) };
  const strip = (written: NamePair): NamePair | undefined => stripKnown(written, known);
  return [
    { strip: (written) => onlySame(strip(written)), fits: "first_cut" },
    { strip, fits: "only_cut" },
  ];
}

const guessingRules: readonly PrefixRule[] = [
  { strip: onlySame, fits: "first_cut" },
  { strip: (written) => onlySame(stripUsual(written)), fits: "first_cut" },
  { strip: (written) => onlySame(stripFolder(written)), fits: "first_cut" },
  { strip: stripUsual, fits: "only_cut" },
  { strip: commonTail, fits: "lone_cut" },
];

export function isUsualPair(written: NamePair): boolean {
  return (onlySame(written) ?? onlySame(stripUsual(written))) !== undefined;
}

function onlySame(pair: NamePair | undefined): NamePair | undefined {
  return pair !== undefined && sameBytes(pair.old, pair.new) ? pair : undefined;
}

function stripKnown(written: NamePair, known: NamePair): NamePair | undefined {
  if (!startsWith(written.old, known.old) || !startsWith(written.new, known.new)) return undefined;
  return { old: written.old.subarray(known.old.length), new: written.new.subarray(known.new.length) };
}

/** The default prefixes and those of `diff.mnemonicPrefix`, which `-R` exchanges. */
function stripUsual(written: NamePair): NamePair | undefined {
  if (written.old[1] !== byte.slash || written.new[1] !== byte.slash) return undefined;
  const letters = String.fromCharCode(written.old[0] ?? 0, written.new[0] ?? 0);
  if (!usualLetters.has(letters)) return undefined;
  return { old: written.old.subarray(2), new: written.new.subarray(2) };
}

const usualLetters: ReadonlySet<string> = new Set([
  "ab",
  "iw",
  "ci",
  "cw",
  "ow",
  "12",
  "ba",
  "wi",
  "ic",
  "wc",
  "wo",
  "21",
]);

function stripFolder(written: NamePair): NamePair | undefined {
  const oldSlash = written.old.indexOf(byte.slash);
  const newSlash = written.new.indexOf(byte.slash);
  if (oldSlash < 1 || newSlash < 1) return undefined;
  return { old: written.old.subarray(oldSlash + 1), new: written.new.subarray(newSlash + 1) };
}

function commonTail({ old, new: next }: NamePair): NamePair | undefined {
  const longest = Math.min(old.length, next.length);
  let tail: NamePair | undefined;
  for (let length = 1; length <= longest; length += 1) {
    if (old[old.length - length] !== next[next.length - length]) break;
    if (beginsSegment(old, old.length - length) && beginsSegment(next, next.length - length)) {
      tail = { old: old.subarray(old.length - length), new: next.subarray(next.length - length) };
    }
  }
  return tail;
}

function beginsSegment(name: Uint8Array, at: number): boolean {
  return at === 0 || name[at - 1] === byte.slash;
}
