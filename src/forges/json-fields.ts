import type { FieldTree } from "#forges/field-tree.ts";
import { readSignedJson } from "#forges/signed-json.ts";

/**
 * What the bytes say as JSON, with at least the wanted fields as they are there, or `undefined` where they are not JSON.
 * Other fields may be missing: hold a schema against it that asks for the wanted ones only. For bytes whose signature was
 * checked, and no others: what is not wanted is mostly not looked at.
 */
export function readJsonFields(bytes: Uint8Array, wanted: readonly FieldTree[]): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readSignedJson(buffer, wanted) ?? parseWhole(buffer);
}

function parseWhole(buffer: Buffer): unknown {
  try {
    return JSON.parse(buffer.toString("utf8"));
  } catch {
    return undefined;
  }
}
