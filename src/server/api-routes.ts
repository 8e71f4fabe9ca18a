import { createHash, timingSafeEqual } from "node:crypto";
import type { BoundedMemory } from "#server/bounded-memory.ts";
import { type HttpResponse, jsonResponse } from "#server/http-response.ts";
import { readBody } from "#server/read-body.ts";
import type { Route } from "#server/router.ts";

export interface ApiCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly serve: (asked: unknown) => Promise<{ readonly status: number; readonly content: unknown }>;
}

export interface ApiRoutesOptions {
  readonly calls: readonly ApiCall[];
  /** Readers of the data folder know it. Null: not yet made. */
  readonly token: () => string | null;
}

const askedBytesMax = 64_000;

export function apiRoutes(room: ApiRoutesOptions, memory: BoundedMemory): readonly (readonly [path: string, Route])[] {
  return room.calls.map(({ method, path, serve }) => [
    path,
    {
      methods: [method],
      handle: async ({ request }): Promise<HttpResponse | undefined> => {
        if (!isAllowed(request.headers.authorization, room.token())) return notAllowed;
        if (method === "GET") return answerOf(await serve(null));
        const body = await readBody(request, { bytesMax: askedBytesMax, memory });
        if (body.kind === "gone") return undefined;
        if (body.kind !== "body") return jsonResponse(413, { error: "too large" }, { isLast: true });
        const asked = readJson(body.bytes);
        return asked === undefined ? jsonResponse(400, { error: "expected JSON" }) : answerOf(await serve(asked));
      },
    },
  ]);
}

const notAllowed = jsonResponse(401, { error: "not allowed" }, { isLast: true });

function answerOf({ status, content }: Awaited<ReturnType<ApiCall["serve"]>>): HttpResponse {
  return jsonResponse(status, content);
}

/** Digests have one length, so the time of the comparison tells nothing. */
function isAllowed(header: string | undefined, token: string | null): boolean {
  if (header === undefined || token === null) return false;
  return timingSafeEqual(digestOf(header), digestOf(`Bearer ${token}`));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
