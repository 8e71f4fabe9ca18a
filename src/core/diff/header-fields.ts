import { byte, scanLineEnd, spells } from "#core/diff/byte-scan.ts";
import { type DiffProblem, malformedDiff } from "#core/diff/diff-problem.ts";

/** The lines that may follow `diff --git`, by the word that they begin with. */
const fieldNames = [
  "old mode",
  "new mode",
  "deleted file mode",
  "new file mode",
  "similarity index",
  "dissimilarity index",
  "copy from",
  "copy to",
  "rename from",
  "rename to",
  "index",
  "---",
  "+++",
] as const;

export type FieldName = (typeof fieldNames)[number];

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export type HeaderFields = Readonly<Record<FieldName, ByteRange | undefined>>;

const noFields: HeaderFields = {
  "old mode": undefined,
  "new mode": undefined,
  "deleted file mode": undefined,
  "new file mode": undefined,
  "similarity index": undefined,
  "dissimilarity index": undefined,
  "copy from": undefined,
  "copy to": undefined,
  "rename from": undefined,
  "rename to": undefined,
  index: undefined,
  "---": undefined,
  "+++": undefined,
};

type ReadFields = DiffProblem | { readonly kind: "fields"; readonly fields: HeaderFields; readonly end: number };

/** The header ends at the first line of another sort, or after `+++`. */
export function readHeaderFields(bytes: Uint8Array, view: DataView, from: number): ReadFields {
  const fields: Record<FieldName, ByteRange | undefined> = { ...noFields };
  let at = from;
  while (fields["+++"] === undefined) {
    const name = fieldAt(bytes, at);
    if (name === undefined) break;
    const to = scanLineEnd(view, at);
    if (to === bytes.length) return malformedDiff("truncated", at);
    if (fields[name] !== undefined) return malformedDiff("contradictory_header", at);
    // A `---` line stands directly before its `+++` line.
    if ((fields["---"] !== undefined) !== (name === "+++")) return malformedDiff("bad_header_line", at);
    fields[name] = { from: at + name.length + 1, to };
    at = to + 1;
  }
  if (fields["---"] !== undefined && fields["+++"] === undefined) {
    return malformedDiff(at === bytes.length ? "truncated" : "bad_header_line", at);
  }
  return { kind: "fields", fields, end: at };
}

function fieldAt(bytes: Uint8Array, at: number): FieldName | undefined {
  const names = namesByFirstByte[bytes[at] ?? 0];
  if (names === undefined) return undefined;
  for (const name of names) {
    if (bytes[at + name.length] === byte.space && spells(bytes, at, name)) return name;
  }
  return undefined;
}

const namesByFirstByte: readonly (readonly FieldName[] | undefined)[] = Array.from({ length: 256 }, (_, value) => {
  const names = fieldNames.filter((name) => name.charCodeAt(0) === value);
  return names.length === 0 ? undefined : names;
});
