import type { FieldTree } from "#forges/field-tree.ts";
import { readSignedJson } from "#forges/signed-json.ts";

/** Undefined for what is no JSON. Only for bytes of a checked signature: unwanted fields are mostly not looked at. */
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
