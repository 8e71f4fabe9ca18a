import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** Several while one is being replaced by the next. */
export type SigningKeys = readonly KeyObject[];

/** A secret is mandatory and not empty: without it anybody could say where to look. */
export function signingKeys(secrets: readonly string[]): SigningKeys {
  if (secrets.length === 0) throw new Error("webhooks need a secret");
  if (secrets.some((secret) => secret === "")) throw new Error("a webhook's secret is empty");
  return secrets.map((secret) => createSecretKey(secret, "utf8"));
}

/** HMAC-SHA256 in hex, compared in constant time, so that a signature cannot be guessed digit by digit. */
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
