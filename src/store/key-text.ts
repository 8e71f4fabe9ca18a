import { digestOf } from "#core/model/digest.ts";

/**
 * An index of PostgreSQL takes 2,704 bytes at most, and one of ours holds two keys; a character takes up to three bytes,
 * since one of four counts as two.
 */
const keyCharsMax = 400;

/**
 * The key as a text column takes it: PostgreSQL knows neither U+0000 nor half a character, and ids of others could hold
 * either. Ordinary keys stay readable, two different ones stay different. One that is too long for an index becomes its
 * digest behind a bare quotation mark, which the others cannot hold.
 */
export function keyText(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  return text.length <= keyCharsMax ? text : `"${digestOf(text)}`;
}
