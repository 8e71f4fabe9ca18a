import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Instant, secondMs } from "#core/model/instant.ts";
import type { Allowance } from "#github-like/allowance.ts";
import type { Said } from "#github-like/rest/route.ts";

export interface Sending {
  readonly said: Said;
  readonly allowance: Allowance | null;
  /** On the forge's clock; null where nobody looked at it. */
  readonly date: Instant | null;
}

export function sendSaid(response: ServerResponse, { said, allowance, date }: Sending): void {
  if (response.destroyed) return;
  const { status, body, headers = {} } = said;
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...(date !== null && { date: new Date(date).toUTCString() }),
    ...(bytes.length > 0 && { "content-type": "application/json; charset=utf-8" }),
    ...(status !== 304 && status !== 204 && { "content-length": String(bytes.length) }),
    "x-github-request-id": randomUUID().toUpperCase(),
    "x-github-media-type": "github.v3; format=json",
    "x-github-api-version-selected": "2022-11-28",
    ...(allowance !== null && limitHeaders(allowance)),
    ...headers,
  });
  response.end(bytes);
}

function limitHeaders({ resource, limit, used, resetAt }: Allowance): Readonly<Record<string, string>> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(Math.max(0, limit - used)),
    "x-ratelimit-used": String(used),
    "x-ratelimit-reset": String(Math.ceil(resetAt / secondMs)),
    "x-ratelimit-resource": resource,
  };
}
