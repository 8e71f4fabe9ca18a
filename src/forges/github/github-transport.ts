import { request } from "@octokit/request";
import { z } from "zod";
import type { Instant } from "#core/model/instant.ts";
import { askedAtOf, type ForgeResponse, type ForgeResult, redirectOf } from "#forges/forge-response.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { noAnswerReason } from "#forges/unreached.ts";
import type { Clock } from "#ports/clock.ts";

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/repos/{owner}/{repo}`: names in braces are parameters, the others make up query or body. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type GithubHeaders = Readonly<Record<string, string | number | undefined>>;
export type TransportResponse = ForgeResponse<GithubHeaders>;
export type TransportResult = ForgeResult<GithubHeaders>;

export type Send = (outgoing: TransportRequest) => Promise<TransportResult>;

const userAgent = "drover";
const apiVersion = "2022-11-28";

/** Octokit's request without its retries and throttling. */
export function createSend(parts: {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}): Send {
  const { baseUrl, clock } = parts;
  const fetch = fetchWithin(parts.fetch, new URL(baseUrl).origin);
  return async ({ method, path, params, headers, timeoutMs }) => {
    const sentAt = clock.now();
    try {
      const response = await request({
        method,
        url: path,
        baseUrl,
        ...params,
        headers: {
          accept: "application/vnd.github+json",
          "user-agent": userAgent,
          "x-github-api-version": apiVersion,
          ...headers,
        },
        request: { fetch, signal: AbortSignal.timeout(timeoutMs), log: silent },
      });
      return answered(response, { sentAt, heardAt: clock.now() });
    } catch (cause) {
      const refusal = Refused.safeParse(cause);
      if (!refusal.success) return { kind: "silence", cause, ...noAnswerReason(baseUrl, cause) };
      return answered(refusal.data.response, { sentAt, heardAt: clock.now() });
    }
  };
}

/**
 * Follows a renamed repository within this server only: fetch would go anywhere, with all headers that it does not take for
 * secrets. Another server's address is the response.
 */
function fetchWithin(fetch: typeof globalThis.fetch, origin: string): typeof globalThis.fetch {
  const root = `${origin}/`;
  return async (input, init) => {
    let address: Parameters<typeof fetch>[0] = input;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(address, { ...init, redirect: "manual" });
      const isLast = redirects >= githubLimits.redirectsMax;
      const next = isLast ? undefined : redirectOf(response, { method: init?.method ?? "GET", address: origin, root });
      if (next === undefined) return response;
      address = next;
    }
  };
}

/** Octokit would write warnings to the console, about deprecations. */
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Octokit throws for every response without success; the error then has the response. */
const Refused = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.union([z.string(), z.number()]).optional()),
    data: z.unknown(),
  }),
});

type Response = z.infer<typeof Refused>["response"];

function answered(
  { status, headers, data }: Omit<Response, "data"> & { readonly data?: unknown },
  { sentAt, heardAt }: { readonly sentAt: Instant; readonly heardAt: Instant },
): TransportResponse {
  const askedAt = askedAtOf(String(headers["date"]), { sentAt, heardAt });
  return { kind: "answered", status, headers, data, askedAt, heardAt };
}
