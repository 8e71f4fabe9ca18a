import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { natureOfName } from "#core/files/file-nature.ts";
import type { Coverage } from "#core/model/records.ts";
import { type FilePieces, filePieces, type Piece } from "#core/prompt/diff-pieces.ts";
import { fileRanks, rankOf } from "#core/prompt/file-rank.ts";

type Unread = Coverage["unread"][number];

export interface PackOptions {
  /** Of the diff's part in one call, as `estimateTokens` counts. */
  readonly callTokensMax: number;
  readonly callsMax: number;
  readonly isExcluded: (path: string) => boolean;
  /** What the base branch itself calls generated or vendored; absent: nothing. */
  readonly isMarked?: ((path: string) => boolean) | undefined;
}

export interface PackedDiff {
  readonly calls: readonly PackedCall[];
  /** Paths that are in the calls as a whole. Each path of the diff is either here or in `unread`. */
  readonly read: readonly string[];
  readonly unread: readonly Unread[];
}

export interface PackedCall {
  readonly text: string;
  readonly tokens: number;
  readonly paths: readonly string[];
}

/** Ranked: what has no room ranks last. A file stays in one call where it fits, a hunk in one piece. */
export function packDiff(diff: Diff, options: PackOptions): PackedDiff {
  const { callTokensMax, callsMax } = options;
  const packing: Packing = { open: [], callsMax, callTokensMax };
  const unread: Unread[] = diff.unmergedPaths.map((path) => ({ path, why: "unreadable" }));
  const written: DiffFile[] = [];
  for (const file of diff.files) {
    const why = obstacleOf(file, options);
    if (why === null) written.push(file);
    else unread.push({ path: file.path, why });
  }
  for (const file of inOrderOfRank(written)) {
    if (isFull(packing)) {
      unread.push({ path: file.path, why: "budget" });
      continue;
    }
    const made = filePieces(diff, file, callTokensMax - headTokensMax);
    const isWhole = placeFile(packing, made);
    if (!isWhole || made.isCut) unread.push({ path: file.path, why: isWhole ? "size" : "budget" });
  }
  const missed = new Set(unread.map(({ path }) => path));
  return {
    calls: packing.open.map(({ texts, tokens, paths }) => ({ text: texts.join(""), tokens, paths: [...paths] })),
    read: [...new Set(diff.files.map(({ path }) => path))].filter((path) => !missed.has(path)),
    unread: onePerPath(unread),
  };
}

/** For the line that names a file; a longer name gets a call of its own or none. */
const headTokensMax = 200;

interface Packing {
  readonly open: OpenCall[];
  readonly callsMax: number;
  readonly callTokensMax: number;
}

/** Less room than this is not worth reading the rest of a large change for. */
const roomTokensMin = 50;

function isFull({ open, callsMax, callTokensMax }: Packing): boolean {
  return open.length >= callsMax && open.every((call) => callTokensMax - call.tokens < roomTokensMin);
}

interface OpenCall {
  readonly texts: string[];
  readonly paths: Set<string>;
  tokens: number;
  last: DiffFile | null;
}

function obstacleOf(file: DiffFile, { isExcluded, isMarked }: PackOptions): Unread["why"] | null {
  if (isExcluded(file.path)) return "excluded";
  if (rankOf(file.path) === "generated") {
    // Of a deleted file only the name is listed, and the author did not choose it for this change.
    const isPassedOver =
      file.kind === "deleted" || natureOfName(file.path) === "lock" || isMarked?.(file.path) === true;
    return isPassedOver ? "excluded" : "generated";
  }
  if (file.kind === "deleted") return null;
  if (file.content.kind === "binary") return "binary";
  return file.content.kind === "omitted" ? "unreadable" : null;
}

function inOrderOfRank(files: readonly DiffFile[]): readonly DiffFile[] {
  return fileRanks.flatMap((rank) => files.filter((file) => rankOf(file.path) === rank));
}

function placeFile(packing: Packing, made: FilePieces): boolean {
  const tokens = made.pieces.reduce((sum, piece) => sum + piece.tokens, made.head.tokens);
  const whole = tokens <= packing.callTokensMax ? findCall(packing, tokens) : undefined;
  if (whole !== undefined) {
    for (const piece of [emptyPiece, ...made.pieces]) addPiece(whole, made, piece);
    return true;
  }
  // An empty file has a head alone.
  const pieces = made.pieces.length === 0 ? [emptyPiece] : made.pieces;
  return pieces.map((piece) => placePiece(packing, made, piece)).every((isPlaced) => isPlaced);
}

const emptyPiece: Piece = { text: "", tokens: 0 };

function placePiece(packing: Packing, made: FilePieces, piece: Piece): boolean {
  const call = findCall(packing, piece.tokens + made.head.tokens);
  if (call !== undefined) addPiece(call, made, piece);
  return call !== undefined;
}

function findCall({ open, callsMax, callTokensMax }: Packing, tokens: number): OpenCall | undefined {
  const found = open.find((call) => call.tokens + tokens <= callTokensMax);
  if (found !== undefined || open.length >= callsMax || tokens > callTokensMax) return found;
  const fresh: OpenCall = { texts: [], paths: new Set(), tokens: 0, last: null };
  open.push(fresh);
  return fresh;
}

function addPiece(call: OpenCall, { file, head }: FilePieces, piece: Piece): void {
  if (call.last !== file) {
    call.texts.push(head.text);
    call.tokens += head.tokens;
    call.paths.add(file.path);
    call.last = file;
  }
  call.texts.push(piece.text);
  call.tokens += piece.tokens;
}

/** A file that becomes a link is in a diff twice; the first reason is told. */
function onePerPath(unread: readonly Unread[]): readonly Unread[] {
  const byPath = new Map<string, Unread>();
  for (const entry of unread) if (!byPath.has(entry.path)) byPath.set(entry.path, entry);
  return [...byPath.values()];
}
