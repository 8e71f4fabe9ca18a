import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * What makes a block the instance's own. It can be used and never read: printing it, logging it or writing it as JSON
 * gives `***`, because the key is nowhere but in the function that uses it.
 */
export interface BlockSecret {
  /** HMAC-SHA256 in hex. */
  readonly authenticate: (message: Uint8Array) => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

/** As many bytes as the hash gives: a shorter key is the weakest part, and an empty one is no key at all. */
const blockSecretBytesMin = 32;

export function makeBlockSecret(key: Uint8Array): BlockSecret {
  if (key.length < blockSecretBytesMin) throw new Error(`a block secret has at least ${blockSecretBytesMin} bytes`);
  const kept = key.slice();
  return {
    authenticate: (message) => bytesToHex(hmac(sha256, kept, message)),
    toString: () => "***",
    toJSON: () => "***",
  };
}
