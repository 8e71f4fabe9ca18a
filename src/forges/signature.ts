import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** Secrets that a sender may sign with: several while one is being replaced by the next. */
export type SigningKeys = readonly KeyObject[];

/** A secret is mandatory, and an empty one is none: without it anybody could say where to look. */
export function signingKeys(secrets: readonly string[]): SigningKeys {
  if (secrets.length === 0) throw new Error("webhooks need a secret");
  if (secrets.some((secret) => secret === "")) throw new Error("a webhook's secret is empty");
  return secrets.map((secret) => createSecretKey(secret, "utf8"));
}

/**
 * Whether the HMAC-SHA256 over these bytes, in hex, was made with one of the keys. The comparison always takes the
 * same time, so that a signature cannot be guessed digit by digit.
 */
export function isSigned({ body, hex, keys }: SignedBody): boolean {
  if (!hexPattern.test(hex)) return false;
  const given = Buffer.from(hex, "hex");
  return keys.some((key) => timingSafeEqual(createHmac("sha256", key).update(body).digest(), given));
}

interface SignedBody {
  readonly body: Uint8Array;
  readonly hex: string;
  readonly keys: SigningKeys;
}

const hexPattern = /^[0-9a-f]{64}$/i;
