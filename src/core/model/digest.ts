import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Names one wording of a text: an edit gives another. Sixteen bytes, so that nobody makes two texts with one name. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16));
}
