import { sameBytes } from "#core/diff/byte-scan.ts";
import { type ResolvedNames, resolveNames } from "#core/diff/file-names.ts";
import type { HeaderChange } from "#core/diff/git-header.ts";
import type { ByteRange, HeaderFields } from "#core/diff/header-fields.ts";
import type { NamePair, NamePrefixes } from "#core/diff/name-prefix.ts";
import { readName } from "#core/diff/quoted-name.ts";
import { readWrittenName } from "#core/diff/written-name.ts";

export interface HeaderNamesInput {
  readonly bytes: Uint8Array;
  readonly header: ByteRange;
  readonly fields: HeaderFields;
  readonly change: HeaderChange;
  readonly prefixes: NamePrefixes | undefined;
}

export function readHeaderNames({ bytes, header, fields, change, prefixes }: HeaderNamesInput): ResolvedNames {
  const minus = fields["---"] && readWrittenName(bytes, fields["---"]);
  const plus = fields["+++"] && readWrittenName(bytes, fields["+++"]);
  const moved = readMoved(bytes, fields);
  if (moved === "broken" || (fields["---"] && (!minus || !plus))) return { kind: "unresolved", why: "bad_name" };
  // Only an added file was nothing before, and only a deleted one is nothing after.
  if (minus && plus && (minus.isDevNull !== (change === "added") || plus.isDevNull !== (change === "deleted"))) {
    return { kind: "unresolved", why: "contradictory_header" };
  }
  const resolved = resolveNames({ header: bytes.subarray(header.from, header.to), minus, plus, moved }, prefixes);
  const hasOneName = change === "added" || change === "deleted";
  if (resolved.kind === "names" && hasOneName && !sameBytes(resolved.names.old, resolved.names.new)) {
    return { kind: "unresolved", why: "inconsistent_names" };
  }
  return resolved;
}

function readMoved(bytes: Uint8Array, fields: HeaderFields): NamePair | "broken" | undefined {
  const from = fields["rename from"] ?? fields["copy from"];
  const to = fields["rename to"] ?? fields["copy to"];
  if (from === undefined || to === undefined) return undefined;
  const old = readName(bytes, from);
  const next = readName(bytes, to);
  return old?.end === from.to && next?.end === to.to ? { old: old.name, new: next.name } : "broken";
}
