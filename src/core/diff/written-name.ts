import { byte, spells } from "#core/diff/byte-scan.ts";
import type { ByteRange } from "#core/diff/header-fields.ts";
import { readName } from "#core/diff/quoted-name.ts";

export interface WrittenName {
  readonly written: Uint8Array;
  readonly name: Uint8Array;
  readonly isDevNull: boolean;
}

/** Git writes a tab after a name with spaces, other tools before a time. A name that holds a tab is quoted. */
export function readWrittenName(bytes: Uint8Array, span: ByteRange): WrittenName | undefined {
  const tab = bytes.subarray(span.from, span.to).indexOf(byte.tab);
  const to = tab === -1 ? span.to : span.from + tab;
  const read = readName(bytes, { from: span.from, to });
  if (read?.end !== to) return undefined;
  const isDevNull = to - span.from === devNull.length && spells(bytes, span.from, devNull);
  return { written: bytes.subarray(span.from, to), name: read.name, isDevNull };
}

const devNull = "/dev/null";
