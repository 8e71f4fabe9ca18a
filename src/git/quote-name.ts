import type { BytePath } from "#git/byte-path.ts";

/** A name as git writes it in a diff: in quotes if there is a byte in it that is not plain ASCII. */
export function quoteName(name: BytePath): string {
  const escaped = name.replaceAll(/[^\x20-\x7e]|["\\]/g, escapeByte);
  return escaped === name ? name : `"${escaped}"`;
}

function escapeByte(character: string): string {
  return escapes.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);
