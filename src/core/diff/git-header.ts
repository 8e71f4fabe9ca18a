import { scanLineEnd } from "#core/diff/byte-scan.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import type { DiffFile, FileKind } from "#core/diff/diff-file.ts";
import { type DiffLimits, type DiffProblem, malformedDiff, overLimit } from "#core/diff/diff-problem.ts";
import { type ByteRange, type HeaderFields, readHeaderFields } from "#core/diff/header-fields.ts";
import { readHeaderNames } from "#core/diff/header-names.ts";
import { type IndexLine, isMode, readIndexLine } from "#core/diff/index-line.ts";
import type { NamePair, NamePrefixes } from "#core/diff/name-prefix.ts";

export const gitHeaderStart = "diff --git ";

export interface FileHeader {
  readonly kind: "header";
  readonly change: HeaderChange;
  readonly names: NamePair;
  readonly facts: HeaderFacts;
  readonly hasNameLines: boolean;
  readonly end: number;
}

export type HeaderFacts = Pick<
  DiffFile,
  "oldMode" | "newMode" | "similarity" | "dissimilarity" | "oldBlob" | "newBlob"
>;

export type HeaderChange = Exclude<FileKind, "modified"> | "unstated";

export interface HeaderInput {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly from: number;
  readonly limits: DiffLimits;
  readonly prefixes: NamePrefixes | undefined;
}

/** Undefined: nothing follows that belongs to it, as in a commit message that speaks of diffs. */
export function readGitHeader({
  bytes,
  view,
  from,
  limits,
  prefixes,
}: HeaderInput): FileHeader | DiffProblem | undefined {
  const lineEnd = scanLineEnd(view, from);
  if (lineEnd === bytes.length) return malformedDiff("truncated", from);
  const read = readHeaderFields(bytes, view, lineEnd + 1);
  if (read.kind !== "fields") return read;
  if (read.end === lineEnd + 1) return undefined;
  const header = { from: from + gitHeaderStart.length, to: lineEnd };
  if (header.to - header.from > limits.diffNameBytesMax) {
    return overLimit("diffNameBytesMax", limits.diffNameBytesMax, from);
  }
  const facts = readFacts(bytes, read.fields);
  if (facts === undefined) return malformedDiff("bad_header_line", from);
  const change = statedChange(read.fields, facts);
  if (change === undefined) return malformedDiff("contradictory_header", from);
  const names = readHeaderNames({ bytes, header, fields: read.fields, change, prefixes });
  if (names.kind !== "names") return malformedDiff(names.why, from);
  const hasNameLines = read.fields["---"] !== undefined;
  return { kind: "header", change, names: names.names, facts, hasNameLines, end: read.end };
}

function readFacts(bytes: Uint8Array, fields: HeaderFields): HeaderFacts | undefined {
  const index = fields.index === undefined ? noIndex : readIndexLine(bytes, fields.index);
  const oldMode = readMode(bytes, fields["deleted file mode"] ?? fields["old mode"]);
  const newMode = readMode(bytes, fields["new file mode"] ?? fields["new mode"]);
  const similarity = readPercent(bytes, fields["similarity index"]);
  const dissimilarity = readPercent(bytes, fields["dissimilarity index"]);
  if (index === undefined || oldMode === "broken" || newMode === "broken") return undefined;
  if (similarity === "broken" || dissimilarity === "broken") return undefined;
  const { oldBlob, newBlob, mode } = index;
  return {
    oldMode: oldMode?.value ?? mode,
    newMode: newMode?.value ?? mode,
    similarity: similarity?.value,
    dissimilarity: dissimilarity?.value,
    oldBlob,
    newBlob,
  };
}

const noIndex: IndexLine = { oldBlob: undefined, newBlob: undefined, mode: undefined };

function readMode(bytes: Uint8Array, span: ByteRange | undefined): Read<string> {
  if (span === undefined) return undefined;
  const text = decodeText(bytes.subarray(span.from, span.to));
  return isMode(text) ? { value: text } : "broken";
}

type Read<T> = { readonly value: T } | "broken" | undefined;

function readPercent(bytes: Uint8Array, span: ByteRange | undefined): Read<number> {
  if (span === undefined) return undefined;
  const text = decodeText(bytes.subarray(span.from, span.to));
  return /^\d{1,3}%$/.test(text) ? { value: Number.parseInt(text, 10) } : "broken";
}

/** Undefined: the header says two things at once, or half of one. */
function statedChange(fields: HeaderFields, { oldMode, newMode }: HeaderFacts): HeaderChange | undefined {
  const isRenamed = isWhole(fields["rename from"], fields["rename to"]);
  const isCopied = isWhole(fields["copy from"], fields["copy to"]);
  const hasModes = isWhole(fields["old mode"], fields["new mode"]);
  if (isRenamed === undefined || isCopied === undefined || hasModes === undefined) return undefined;
  const isAdded = fields["new file mode"] !== undefined;
  const isDeleted = fields["deleted file mode"] !== undefined;
  if (Number(isRenamed) + Number(isCopied) + Number(isAdded) + Number(isDeleted) > 1) return undefined;
  if (isAdded || isDeleted) return hasModes ? undefined : isAdded ? "added" : "deleted";
  if (isRenamed) return "renamed";
  if (isCopied) return "copied";
  return hasModes && oldMode !== newMode ? "mode_changed" : "unstated";
}

function isWhole(one: ByteRange | undefined, other: ByteRange | undefined): boolean | undefined {
  return (one === undefined) === (other === undefined) ? one !== undefined : undefined;
}
