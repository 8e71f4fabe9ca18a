import type { IncomingMessage } from "node:http";

/** A request as it came in. */
export interface Incoming {
  readonly method: string;
  /** Still encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined where there is none, or where it is none. */
  readonly body: unknown;
  readonly isBroken: boolean;
  readonly token: string | null;
}

export async function readIncoming(request: IncomingMessage): Promise<Incoming> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const text = (await readBytes(request)).toString("utf8");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const { authorization = "", ...others } = headers;
  return {
    method: request.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: others,
    ...readJson(text),
    token: readAuthorization(authorization),
  };
}

/** `Bearer x`, `token x`, and for git `Basic` with the token for a password. */
export function readAuthorization(authorization: string): string | null {
  const [, scheme = "", value = ""] = /^(\w+) (\S+)$/.exec(authorization) ?? [];
  if (["bearer", "token"].includes(scheme.toLowerCase())) return value;
  if (scheme.toLowerCase() !== "basic") return null;
  return Buffer.from(value, "base64").toString("utf8").split(":")[1] ?? null;
}

function readJson(text: string): Pick<Incoming, "body" | "isBroken"> {
  if (text === "") return { body: undefined, isBroken: false };
  try {
    return { body: JSON.parse(text), isBroken: false };
  } catch {
    return { body: undefined, isBroken: true };
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
