import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** The key is only in the function that uses it, so printing or logging this gives `***`. */
export interface BlockSecret {
  readonly authenticate: (message: Uint8Array) => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

/** As many bytes as the hash gives: a shorter key is the weakest part. */
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
