import type { ServerResponse } from "node:http";
import type { Instant } from "#core/model/instant.ts";
import type { Said } from "#gitea-like/rest/route.ts";

export interface Sending {
  readonly said: Said;
  /** On the forge's clock; null where nobody looked at it. */
  readonly date: Instant | null;
}

/** No limits, no ETag, no number of the request: Gitea says little about its answers. */
export function sendSaid(response: ServerResponse, { said, date }: Sending): void {
  if (response.destroyed) return;
  const { status, body, headers = {} } = said;
  const bytes =
    body === undefined ? Buffer.alloc(0) : Buffer.isBuffer(body) ? body : Buffer.from(`${JSON.stringify(body)}\n`);
  response.writeHead(status, {
    ...(date !== null && { date: new Date(date).toUTCString() }),
    ...(bytes.length > 0 && { "content-type": "application/json;charset=utf-8" }),
    ...(status !== 204 && { "content-length": String(bytes.length) }),
    "cache-control": "max-age=0, private, must-revalidate, no-transform",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    ...headers,
  });
  response.end(bytes);
}
