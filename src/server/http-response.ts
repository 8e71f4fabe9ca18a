import type { ServerResponse } from "node:http";

export interface HttpResponse {
  readonly status: number;
  readonly type: "application/json" | "text/plain; charset=utf-8" | "text/plain; version=0.0.4; charset=utf-8";
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends with this answer, and the rest of the request is not read. */
  readonly isLast?: boolean;
}

export function jsonResponse(
  status: number,
  content: unknown,
  more: Pick<HttpResponse, "headers" | "isLast"> = {},
): HttpResponse {
  return { status, type: "application/json", body: `${JSON.stringify(content)}\n`, ...more };
}

export function textResponse(
  status: number,
  text: string,
  more: Pick<HttpResponse, "headers" | "isLast"> = {},
): HttpResponse {
  return { status, type: "text/plain; charset=utf-8", body: `${text}\n`, ...more };
}

/** Forges try again by themselves, and people can send it again. */
export function busyResponse(why: string): HttpResponse {
  return jsonResponse(503, { busy: why }, { headers: { "retry-after": retryAfter } });
}

const retryAfter = "10";

export function sendResponse(response: ServerResponse, answer: HttpResponse, facts: SendFacts): void {
  if (response.destroyed || response.headersSent) return;
  // Node writes a flat list as it is, and would check each name of an object.
  const headers: string[] = [];
  headers.push("content-type", answer.type, "content-length", String(Buffer.byteLength(answer.body)));
  headers.push("x-request-id", facts.id, "cache-control", "no-store", "x-content-type-options", "nosniff");
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.push(name, value);
  if (facts.isLast || answer.isLast === true) headers.push("connection", "close");
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}

export interface SendFacts {
  readonly id: string;
  /** Nothing more is read on this connection, with any response. */
  readonly isLast: boolean;
}
