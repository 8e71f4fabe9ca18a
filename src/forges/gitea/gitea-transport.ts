import type { Instant } from "#core/model/instant.ts";
import { askedAtOf, type ForgeResponse, type ForgeResult, redirectOf } from "#forges/forge-response.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { noAnswerReason } from "#forges/unreached.ts";
import type { Clock } from "#ports/clock.ts";

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: unknown;
  readonly timeoutMs: number;
}

export type TransportResponse = ForgeResponse<Headers>;
export type TransportResult = ForgeResult<Headers>;

export type Send = (outgoing: TransportRequest) => Promise<TransportResult>;

export interface SendOptions {
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/**
 * Sends once. Redirects of renamed repositories are followed within this server only, with the token. Gitea sends 301 for
 * writes too, before doing anything: they go on as they are.
 */
export function createSend({ url, token, fetch, clock }: SendOptions): Send {
  return async (outgoing) => {
    const sentAt = clock.now();
    const request = {
      method: outgoing.method,
      headers: headersOf(token, outgoing),
      body: outgoing.body === undefined ? null : JSON.stringify(outgoing.body),
      signal: AbortSignal.timeout(outgoing.timeoutMs),
      redirect: "manual",
    } as const;
    let address = addressOf(url, outgoing);
    // Below a path, the rest of that host is another server too.
    const root = `${url}/`;
    try {
      for (let redirects = 0; ; redirects++) {
        const response = await fetch(address, request);
        const isLast = redirects >= giteaLimits.redirectsMax;
        const next = isLast ? undefined : redirectOf(response, { method: outgoing.method, address, root });
        if (next === undefined) return await answered(response, { sentAt, clock });
        address = next;
      }
    } catch (cause) {
      return { kind: "silence", cause, ...noAnswerReason(url, cause) };
    }
  };
}

function headersOf(token: string, { body }: TransportRequest): Readonly<Record<string, string>> {
  return {
    accept: "application/json",
    authorization: `token ${token}`,
    "user-agent": "drover",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}

function addressOf(url: string, { path, query }: TransportRequest): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) params.set(name, String(value));
  return params.size === 0 ? url + path : `${url}${path}?${params.toString()}`;
}

async function answered(
  response: Response,
  { sentAt, clock }: { readonly sentAt: Instant; readonly clock: Clock },
): Promise<TransportResponse> {
  const { status, headers } = response;
  const data = readText(await response.text());
  const heardAt = clock.now();
  const askedAt = askedAtOf(headers.get("date") ?? "", { sentAt, heardAt });
  return { kind: "answered", status, headers, data, askedAt, heardAt };
}

/** Null for an empty answer, plain text for what is no JSON. */
function readText(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
