import { readCompactJson } from "#forges/compact-json.ts";
import type { FieldTree } from "#forges/field-tree.ts";

/**
 * What the bytes say as JSON, with at least the wanted fields as they are there, or `undefined` where they are not JSON.
 * Other fields may be missing: hold a schema against it that asks for the wanted ones only.
 */
export function readJsonFields(bytes: Uint8Array, wanted: readonly FieldTree[]): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readCompactJson(buffer, wanted) ?? parseWhole(buffer);
}

function parseWhole(buffer: Buffer): unknown {
  try {
    return JSON.parse(buffer.toString("utf8"));
  } catch {
    return undefined;
  }
}
