import { z } from "zod";
import { after, type Instant } from "#core/model/instant.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { type Caller, call, callRaw, errorOf, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { ForgeError } from "#ports/forge.ts";

export interface GiteaServer {
  readonly version: GiteaVersion;
  readonly resolvesThreads: boolean;
  readonly hasReplies: boolean;
  readonly pageSize: number | null;
}

export type FetchServer = (how: ReadingManner) => Promise<GiteaServer>;

/** Kept for an hour. */
export function createFetchServer(caller: Caller): FetchServer {
  let kept: { readonly server: Promise<GiteaServer>; readonly until: Instant } | undefined;
  return async (how) => {
    if (kept !== undefined && caller.clock.now() < kept.until) return await kept.server;
    const server = probe(caller, how);
    kept = { server, until: after(caller.clock.now(), giteaLimits.probeMsMax) };
    try {
      return await server;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
}

const everywhere = { where: "server", method: "GET" } as const;

async function probe(caller: Caller, how: ReadingManner): Promise<GiteaServer> {
  const { version: text } = await call(caller, {
    ...everywhere,
    ...how,
    name: "look up version",
    path: "/version",
    shape: z.object({ version: z.string() }),
  });
  const version = readVersion(text);
  if (version === undefined || !isFrom(version, 1, oldest)) {
    const message = `gitea server: version ${text.slice(0, 40)} is not one that Drover knows; 1.${oldest} is the oldest`;
    throw new ForgeError("refused", message, { isApplied: "no" });
  }
  const pageSize = await fetchPageSize(caller, how);
  const paths = isFrom(version, 1, firstWithResolve) || version.product === "forgejo" ? await findPaths(caller) : null;
  const has = (path: string, minor: number): boolean =>
    paths === null ? version.product === "gitea" && isFrom(version, 1, minor) : paths.has(path);
  return {
    version,
    pageSize,
    resolvesThreads: has("/repos/{owner}/{repo}/pulls/comments/{id}/resolve", firstWithResolve),
    hasReplies: has("/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies", firstWithReplies),
  };
}

/** Before 1.16 there is no timeline, and the text of a review cannot be changed. */
const oldest = 16;
const firstWithResolve = 26;
const firstWithReplies = 27;

/** A server that could not answer is asked again another time. */
async function fetchPageSize(caller: Caller, how: ReadingManner): Promise<number | null> {
  const asked = { ...everywhere, ...how, name: "look up page size", path: "/settings/api" } as const;
  const answer = await callRaw(caller, asked);
  const error = isSuccess(answer) ? undefined : errorOf(asked, answer);
  if (error !== undefined && !["not_found", "forbidden", "refused"].includes(error.kind)) throw error;
  const told = isSuccess(answer) ? PageSize.safeParse(answer.data) : undefined;
  return told?.success === true ? Math.min(told.data.max_response_items, giteaLimits.pageSize) : null;
}

const PageSize = z.object({ max_response_items: z.int().positive() });

/** A megabyte beside the API, which an operator may have switched off: null then, the version tells nearly as much. */
async function findPaths(caller: Caller): Promise<ReadonlySet<string> | null> {
  const answer = await caller.send({
    method: "GET",
    path: "/swagger.v1.json",
    query: {},
    body: undefined,
    timeoutMs: giteaLimits.readTimeoutMs,
  });
  const described = isSuccess(answer) ? Described.safeParse(answer.data) : undefined;
  return described?.success === true ? new Set(Object.keys(described.data.paths)) : null;
}

const Described = z.object({ paths: z.record(z.string(), z.unknown()) });

/** Of a Forgejo: the Gitea version that its API is like. */
interface GiteaVersion {
  readonly product: "gitea" | "forgejo";
  readonly major: number;
  readonly minor: number;
}

/** `1.21.8`, `1.26.0+dev-123-gabcdef`, `11.0.1+gitea-1.22.0`. */
export function readVersion(text: string): GiteaVersion | undefined {
  const forked = /\+gitea-(\d+)\.(\d+)/.exec(text);
  const parts = forked ?? /^v?(\d+)\.(\d+)/.exec(text);
  if (parts === null) return undefined;
  return { product: forked === null ? "gitea" : "forgejo", major: Number(parts[1]), minor: Number(parts[2]) };
}

export function isFrom(version: GiteaVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
