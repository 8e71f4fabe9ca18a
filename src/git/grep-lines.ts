import { decodeText } from "#core/diff/decode-text.ts";
import { Untrusted } from "#core/model/ids.ts";
import { type BytePath, bytePathOf, diffPathOf } from "#git/byte-path.ts";
import { GitError, type GrepHit } from "#ports/git.ts";

/** More is said to be there and not shown. */
export const grepLimits = {
  textBytesMax: 400,
  /** A file with a hit each: more would not be read. */
  filesMax: 300,
  fileBytesMax: 2_000_000,
  bytesMax: 32_000_000,
  lineCharactersMax: 300,
} as const;

/** One character per byte; throws where no line can hold it. */
export function readGrepText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what a line cannot hold, or nobody can see.
  const isLine = text !== "" && !/[\u0000-\u0008\u000a-\u001f\u007f]|\p{Surrogate}/u.test(text);
  const bytes = bytePathOf(text);
  if (!isLine || bytes.length > grepLimits.textBytesMax) {
    throw new GitError("bad_request", "what is searched for must be a short part of one line");
  }
  return foldCase(bytes);
}

export interface SearchedFile {
  readonly path: BytePath;
  readonly content: Uint8Array;
}

export function linesWith({ path, content }: SearchedFile, folded: string, hitsMax: number): readonly GrepHit[] {
  const whole = foldCase(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1"));
  const hits: GrepHit[] = [];
  let line = 1;
  let counted = 0;
  for (let at = whole.indexOf(folded); at !== -1 && hits.length < hitsMax; ) {
    const start = whole.lastIndexOf("\n", at) + 1;
    const end = endOfLine(whole, at);
    for (let next = whole.indexOf("\n", counted); next !== -1 && next < start; next = whole.indexOf("\n", counted)) {
      line += 1;
      counted = next + 1;
    }
    hits.push({ path: diffPathOf(path), line, text: excerpt(content, { start, at, end }) });
    at = whole.indexOf(folded, end);
  }
  return hits;
}

/** Git folds no other letters without a locale. */
function foldCase(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function endOfLine(whole: string, at: number): number {
  const end = whole.indexOf("\n", at);
  return end === -1 ? whole.length : end;
}

/** Of a long line what stands around the text, with a mark at each cut. */
function excerpt(
  content: Uint8Array,
  { start, at, end }: { readonly start: number; readonly at: number; readonly end: number },
): Untrusted {
  const { lineCharactersMax } = grepLimits;
  const isLong = end - start > lineCharactersMax;
  let from = isLong ? Math.max(start, at - Math.floor(lineCharactersMax / 3)) : start;
  let to = isLong ? Math.min(end, from + lineCharactersMax) : end;
  while (from > start && from < at && isInsideCharacter(content, from)) from += 1;
  while (to < end && to > at && isInsideCharacter(content, to)) to -= 1;
  const shown = decodeText(content.subarray(from, to)).replace(/\r$/, "");
  return Untrusted.parse(`${from > start ? "…" : ""}${shown}${to < end ? "…" : ""}`);
}

/** A continuation byte of UTF-8. */
function isInsideCharacter(content: Uint8Array, at: number): boolean {
  return ((content[at] ?? 0) & 0xc0) === 0x80;
}
