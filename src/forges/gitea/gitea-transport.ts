import { type Instant, instant } from "#core/model/instant.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { type NoAnswerReason, noAnswerReason } from "#forges/unreached.ts";
import type { Clock } from "#ports/clock.ts";

/** One HTTP request, ready to go. */
export interface TransportRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the root of the server, encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: unknown;
  readonly timeoutMs: number;
}

/** Whatever came back, refusals included. */
export interface TransportResponse {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: Headers;
  /** Null for an empty answer, and the plain text of one that is no JSON. */
  readonly data: unknown;
  /** The forge's clock when the request went out, as far as its answer tells. */
  readonly askedAt: Instant;
  /** This machine's clock when the answer was there. */
  readonly heardAt: Instant;
}

/** The connection broke, nothing came in time, or more than anybody reads. */
export interface NoResponse extends NoAnswerReason {
  readonly kind: "silence";
  readonly cause: unknown;
}

export type TransportResult = TransportResponse | NoResponse;

export type Send = (outgoing: TransportRequest) => Promise<TransportResult>;

export interface SendOptions {
  /** The root of the server, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** Sends once. A renamed repository leads to its new name; the token goes along within this server and never beyond it. */
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
    try {
      for (let redirects = 0; ; redirects++) {
        const response = await fetch(address, request);
        const next =
          redirects < giteaLimits.redirectsMax
            ? nextOf(response, { url, address, method: outgoing.method })
            : undefined;
        if (next === undefined) return await answered(response, { sentAt, heardAt: () => clock.now() });
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

/**
 * Undefined where the answer leads nowhere, to another server, or would make something else of a write. Where Gitea is
 * below a path, what else there is on that host is another server too. A repository that was renamed is told by 301 to
 * writes as well, before anything was done: they are meant to be sent there as they are.
 */
function nextOf(
  { status, headers }: Response,
  {
    url,
    address,
    method,
  }: { readonly url: string; readonly address: string; readonly method: TransportRequest["method"] },
): string | undefined {
  const isFollowed = status === 301 || status === 307 || status === 308 || (method === "GET" && status === 302);
  const location = headers.get("location");
  if (!isFollowed || location === null || !URL.canParse(location, address)) return undefined;
  const [next, root] = [new URL(location, address), new URL(`${url}/`)];
  return next.origin === root.origin && next.pathname.startsWith(root.pathname) ? next.href : undefined;
}

/**
 * The date of an answer is that of its end. What was seen for it is as old as the request may be: the time that it took
 * on this machine is taken off.
 */
async function answered(
  response: Response,
  { sentAt, heardAt }: { readonly sentAt: Instant; readonly heardAt: () => Instant },
): Promise<TransportResponse> {
  const { status, headers } = response;
  const data = readText(await response.text());
  const heard = heardAt();
  const said = Date.parse(headers.get("date") ?? "");
  const askedAt = Number.isNaN(said) ? sentAt : instant(Math.max(0, said - Math.max(0, heard - sentAt)));
  return { kind: "answered", status, headers, data, askedAt, heardAt: heard };
}

function readText(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
