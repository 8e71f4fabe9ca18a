import { byte, sameBytes } from "#core/diff/byte-scan.ts";
import { decodeText, encodeText } from "#core/diff/decode-text.ts";

/** Without prefix and quoting, not normalised: who opens files or calls a forge decides about `troubles`. */
export interface DiffPath {
  readonly text: string;
  readonly troubles: readonly PathTrouble[];
  /** Only where it is not UTF-8: two such names may decode to the same text. */
  readonly bytes: Uint8Array | undefined;
}

export type PathTrouble =
  | "absolute"
  /** It may leave the tree. */
  | "parent_segment"
  /** Has an empty or `.` segment, so two names may mean one file. */
  | "odd_segment"
  /** Goes into a folder that git takes for its own. */
  | "git_folder"
  | "backslash"
  | "control_character"
  /** Cannot be said in text without loss, so no forge can be told about it. */
  | "not_utf8";

export function makeDiffPath(name: Uint8Array): DiffPath {
  const text = decodeText(name);
  if (isOrdinary(name)) return { text, troubles: noTroubles, bytes: undefined };
  const troubles = findTroubles(text, name);
  return { text, troubles, bytes: troubles.includes("not_utf8") ? name.slice() : undefined };
}

export function pathBytes(path: DiffPath): Uint8Array {
  return path.bytes ?? encodeText(path.text);
}

const noTroubles: readonly PathTrouble[] = [];

/** A fast path: most names are plain ASCII, and none of these has a trouble. */
function isOrdinary(bytes: Uint8Array): boolean {
  let isSegmentStart = true;
  for (let index = 0; index < bytes.length; index += 1) {
    const value = bytes[index] ?? 0;
    if (value < 32 || value > 126 || value === byte.backslash || value === byte.colon) return false;
    if (isSegmentStart && (value === byte.slash || value === byte.dot)) return false;
    isSegmentStart = value === byte.slash;
  }
  return !isSegmentStart;
}

function findTroubles(text: string, bytes: Uint8Array): readonly PathTrouble[] {
  const segments = text.split(/[/\\]/);
  const troubles: PathTrouble[] = [];
  if (/^(?:[/\\]|[A-Za-z]:)/.test(text)) troubles.push("absolute");
  if (segments.includes("..")) troubles.push("parent_segment");
  if (segments.includes(".") || segments.includes("")) troubles.push("odd_segment");
  if (segments.some((segment) => segment.toLowerCase() === ".git")) troubles.push("git_folder");
  if (text.includes("\\")) troubles.push("backslash");
  if (hasControlCharacter(bytes)) troubles.push("control_character");
  if (text.includes("\uFFFD") && !sameBytes(encodeText(text), bytes)) troubles.push("not_utf8");
  return troubles;
}

function hasControlCharacter(bytes: Uint8Array): boolean {
  return bytes.some((value) => value < 32 || value === 127);
}
