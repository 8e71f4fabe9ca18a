import { decodeText } from "#core/diff/decode-text.ts";

const runsMax = 40;
const runCharactersMax = 8_000;
const wordsMin = 3;
/** Data that is no text has far fewer plain characters. */
const plainShareMin = 0.97;

/** Base64 or hexadecimal digits. Keys, hashes and pictures are no prose. */
export function encodedTexts(text: string): readonly { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = [];
  for (const run of text.matchAll(encodedRun)) {
    if (found.length >= runsMax) break;
    const written = run[0].slice(0, runCharactersMax);
    const bytes = /^[0-9a-f]+$/i.test(written) ? fromHex(written) : fromBase64(written);
    const prose = decodeText(bytes);
    if (isProse(prose)) found.push({ at: run.index, text: prose });
  }
  return found;
}

const encodedRun = /[A-Za-z0-9+/_-]{32,}={0,2}/g;

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: Math.floor(text.length / 2) }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function fromBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const letter of text.replaceAll("-", "+").replaceAll("_", "/")) {
    const value = digits.indexOf(letter);
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xff_ff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

function isProse(text: string): boolean {
  const plain = text.match(/[\w\s.,:;!?'"()@/`*#<>[\]-]/g)?.length ?? 0;
  return plain >= text.length * plainShareMin && text.trim().split(/\s+/).length >= wordsMin;
}
