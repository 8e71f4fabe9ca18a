import { createHash } from "node:crypto";
import type { Incoming } from "#forge-like/incoming.ts";
import type { Said } from "#github-like/rest/route.ts";

/** Of an answer to a read, for the token that asked: another token, another tag. */
export function etagOf({ method, token, headers }: Incoming, { status, body }: Said): string | null {
  if (method !== "GET" || status !== 200) return null;
  const text = Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const hash = createHash("sha256")
    .update(`${token}\n${headers["accept"] ?? ""}\n`)
    .update(text)
    .digest("hex");
  return `W/"${hash}"`;
}
