import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { toSecretSearchText } from "#core/secrets/secret-search-text.ts";
import { signOfByte } from "#core/secrets/text-views.ts";

/** Without white space. Marks around single characters are not here: texts are read without them (text-views.ts). */
export function secretForms(part: string): ReadonlySet<string> {
  const bytes = utf8ToBytes(part);
  const characters = Array.from(part);
  const plain = [
    part,
    characters.toReversed().join(""),
    // Percent signs stand before bytes, not before characters.
    Array.from(bytes, signOfByte).join(""),
  ];
  const encoded = [...bytesIn(part), bytes].flatMap((one) => [...hexForms(one), ...base64Forms(one)]);
  const withoutSpace = [...plain, ...encoded].map(toSecretSearchText);
  return new Set(withoutSpace.filter((form) => form.length >= formCharactersMin));
}

/** Nothing shorter comes of a secret that is looked for at all. */
export const formCharactersMin = 8;

/** A key in hex is its bytes, and lines may end in two ways. */
function bytesIn(part: string): readonly Uint8Array[] {
  const isHex = part.length >= hexDigitsMin && part.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(part);
  const raw = isHex ? [Uint8Array.from(part.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))] : [];
  return part.includes("\n") ? [...raw, utf8ToBytes(part.replaceAll("\n", "\r\n"))] : raw;
}

/** Of fewer bytes the forms would be too short to be told from other text. */
const hexDigitsMin = 32;

function hexForms(bytes: Uint8Array): readonly string[] {
  const hex = bytesToHex(bytes);
  return [hex, hex.toUpperCase()];
}

/** The base64 of whatever it is part of: at each of three places within a group of bytes. */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const form = base64Core(bytes, before);
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Characters at the ends hold bits of the neighbouring bytes, so they are left out. */
function base64Core(bytes: Uint8Array, before: number): string {
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + bytes.length) * 8) / 6);
  return Array.from({ length: end - first }, (_, index) => {
    const bit = (first + index) * 6 - before * 8;
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    return alphabet[(pair >> (10 - (bit & 7))) & 63];
  }).join("");
}
