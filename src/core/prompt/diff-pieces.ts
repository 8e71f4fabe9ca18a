import { decodeText } from "#core/diff/decode-text.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { firstLine, type Hunk, hunkHeading, hunksOf } from "#core/diff/hunk.ts";
import { Untrusted } from "#core/model/ids.ts";
import { sanitise } from "#core/prompt/sanitise.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";

export interface FilePieces {
  readonly file: DiffFile;
  readonly head: Piece;
  readonly pieces: readonly Piece[];
  /** A line is longer than a whole call and was cut. */
  readonly isCut: boolean;
}

export interface Piece {
  readonly text: string;
  readonly tokens: number;
}

/** Git's header costs a hundred tokens a file. Marks stay, so nothing in a file passes for the head of another. */
export function filePieces(diff: Diff, file: DiffFile, pieceTokensMax: number): FilePieces {
  const head = makePiece(`=== ${plainPath(file.path)}${headNote(file)}\n`);
  // A deleted file has nothing to judge; its text can be read on the old side.
  const hunks = file.kind === "deleted" ? [] : hunksOf(diff, file);
  const pieces: Piece[] = [];
  let isCut = false;
  for (const hunk of hunks) {
    const whole = makePiece(hunkHead(diff, hunk) + hunkBody(diff, hunk));
    if (whole.tokens <= pieceTokensMax) {
      pieces.push(whole);
    } else {
      const split = splitHunk(whole.text, hunk, pieceTokensMax);
      pieces.push(...split.pieces);
      isCut ||= split.isCut;
    }
  }
  return { file, head, pieces, isCut };
}

function makePiece(text: string): Piece {
  const written = sanitise(Untrusted.parse(text), "code");
  return { text: written, tokens: estimateTokens(written) };
}

function headNote({ kind, oldPath, oldMode, newMode, removedLines }: DiffFile): string {
  const mode = oldMode !== undefined && newMode !== undefined && oldMode !== newMode ? ` (mode ${newMode})` : "";
  if (kind === "added") return newMode === "100644" ? " (new)" : ` (new, mode ${newMode})`;
  if (kind === "deleted") return ` (deleted, ${removedLines} lines)`;
  return kind === "renamed" || kind === "copied" ? ` (was ${plainPath(oldPath?.text ?? "")})${mode}` : mode;
}

/** A newline in a name would make another line of the diff. */
function plainPath(path: string): string {
  return path.replace(/[\n\r\t]/g, " ");
}

function hunkHead(diff: Diff, hunk: Hunk): string {
  return headOf(firstLine(hunk, "new"), hunkHeading(diff, hunk).slice(0, headingCharactersMax));
}

const headingCharactersMax = 100;

function headOf(line: number, heading: string): string {
  return `@@ ${line}${heading === "" ? "" : ` ${heading.trim()}`}\n`;
}

function hunkBody(diff: Diff, { bodyStart, end }: Hunk): string {
  const body = decodeText(diff.bytes.subarray(bodyStart, end));
  const ended = body.endsWith("\n") ? body : `${body}\n`;
  return ended.includes("\n\\") ? ended.replace(/^\\.*\n/gm, "") : ended;
}

/** Between lines, each part under a head of its own; only a line that fits nowhere is cut. */
function splitHunk(
  text: string,
  hunk: Hunk,
  tokensMax: number,
): { readonly pieces: readonly Piece[]; readonly isCut: boolean } {
  const lines = text.split("\n").slice(1, -1);
  const room = tokensMax - headTokensMax;
  const parts: { head: string; texts: string[]; tokens: number }[] = [];
  let line = firstLine(hunk, "new");
  let isCut = false;
  for (const whole of lines) {
    const shown = cutLine(whole, room);
    isCut ||= shown !== whole;
    const tokens = estimateTokens(`${shown}\n`);
    const last = parts.at(-1);
    if (last === undefined || last.tokens + tokens > room) {
      parts.push({ head: headOf(line, ""), texts: [shown], tokens });
    } else {
      last.texts.push(shown);
      last.tokens += tokens;
    }
    if (!whole.startsWith("-")) line += 1;
  }
  return { isCut, pieces: parts.map(({ head, texts }) => makePiece(`${head}${texts.join("\n")}\n`)) };
}

const headTokensMax = 16;

function cutLine(line: string, tokensMax: number): string {
  if (estimateTokens(line) <= tokensMax) return line;
  let shown = line;
  while (estimateTokens(shown) + cutTokens > tokensMax && shown.length > 1) {
    shown = shown.slice(0, Math.floor(shown.length / 2));
  }
  return `${shown} [cut]`;
}

const cutTokens = 8;
