import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Block } from "#core/blocks/block.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import type { InstanceId, RepositoryId } from "#core/model/ids.ts";

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

/** Part of the MAC, so that a block taken to another pull proves nothing there. */
export interface BlockContext {
  readonly instance: InstanceId;
  readonly repository: RepositoryId;
  readonly pull: number;
}

export type UnreadBlock = Pick<Block, "type" | "subject" | "revision"> & { readonly data: unknown };

/** Each part stands behind its length, so no two lists of parts make the same message. Undefined: not writable. */
export function blockMac(block: UnreadBlock, context: BlockContext, secret: BlockSecret): string | undefined {
  const parts = [
    purpose,
    context.instance,
    context.repository,
    context.pull,
    block.type,
    block.subject,
    block.revision,
    block.data,
  ].map((part) => canonicalJson(part));
  let message = "";
  for (const part of parts) {
    if (part === undefined) return undefined;
    message += `${part.length}:${part}`;
  }
  return secret.authenticate(new TextEncoder().encode(message));
}

/** Another use of the same secret signs other messages; another layout of this one gets another number. */
const purpose = "drover state block 1";

/** Takes the same time wherever the first difference is. */
export function isSameMac(claimed: string, expected: string): boolean {
  if (claimed.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++) {
    difference |= claimed.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}
