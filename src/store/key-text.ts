import { digestOf } from "#core/model/digest.ts";

/** An index of PostgreSQL takes 2,704 bytes and one of ours holds two keys, at up to three bytes a character. */
const keyCharsMax = 400;

/** PostgreSQL takes neither U+0000 nor half a surrogate pair. Too long for an index: a digest, after a bare `"`. */
export function keyText(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  return text.length <= keyCharsMax ? text : `"${digestOf(text)}`;
}
