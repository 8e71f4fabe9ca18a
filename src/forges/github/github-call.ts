import type { z } from "zod";
import type { Instant } from "#core/model/instant.ts";
import { isSuccess } from "#forges/forge-response.ts";
import type { TokenRequest, TokenSource } from "#forges/github/github-access.ts";
import { forgeError, malformedResponse } from "#forges/github/github-error.ts";
import type { Etags } from "#forges/github/github-etags.ts";
import { type GraphqlAnswer, graphqlError, honestAnswer, readGraphql } from "#forges/github/github-graphql.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import type { GithubSpent, RateLimits } from "#forges/github/github-rate-limits.ts";
import { retryRead } from "#forges/github/github-retry-reads.ts";
import type { Send, TransportRequest, TransportResponse, TransportResult } from "#forges/github/github-transport.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError } from "#ports/forge.ts";

export interface Caller {
  readonly tokens: TokenSource;
  readonly sendRest: Send;
  readonly sendGraphql: Send;
  readonly budgets: RateLimits;
  readonly etags: Etags;
  readonly clock: Clock;
  readonly onSpent: (spent: GithubSpent) => void;
}

interface Asked extends TokenRequest {
  readonly where: string;
  readonly name: string;
  /** A `read` is repeated if nothing came back; a `write` and a `look` (a read on the way to a write) are sent once. */
  readonly manner: "read" | "look" | "write";
  /** When the write began, if this is not its first call. */
  readonly since?: Instant;
  readonly attemptsMax?: number;
}

export interface RestRequest<Shape extends z.ZodType>
  extends Asked,
    Pick<TransportRequest, "method" | "path" | "params"> {
  readonly shape: Shape;
}

export interface GraphqlRequest<Shape extends z.ZodType> extends Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The query has a variable `first`, the size of a page. */
  readonly isPaged?: boolean;
  readonly shape: Shape;
}

export interface GraphqlReply<Body> {
  readonly body: Body;
  readonly answer: TransportResponse;
}

export async function callRest<Shape extends z.ZodType>(
  caller: Caller,
  request: RestRequest<Shape>,
): Promise<z.infer<Shape>> {
  return bodyOf(request, await callRestRaw(caller, request));
}

export function bodyOf<Shape extends z.ZodType>(request: RestRequest<Shape>, answer: TransportResult): z.infer<Shape> {
  if (!isSuccess(answer)) throw errorOf(request, answer);
  return readBody(request, answer.data);
}

export async function callRestRaw(
  caller: Caller,
  request: Omit<RestRequest<z.ZodType>, "shape">,
): Promise<TransportResult> {
  const { method, path, params } = request;
  const isRead = request.manner !== "write";
  return await attempt(caller, request, async (token, timeoutMs) => {
    const url = JSON.stringify([path, params]);
    const kept = isRead ? caller.etags.find(token, url) : undefined;
    const headers = { ...authorization(token), ...(kept === undefined ? {} : { "if-none-match": kept.etag }) };
    const answer = await caller.sendRest({ method, path, params, headers, timeoutMs });
    const isNotModified = answer.kind === "answered" && answer.status === 304;
    note(caller, answer, { api: "rest", call: request.name, points: isNotModified ? 0 : 1, isNotModified });
    if (answer.kind === "silence" || !isRead) return answer;
    if (answer.status === 304 && kept !== undefined) return { ...answer, status: 200, data: kept.data };
    const etag = answer.headers["etag"];
    if (isSuccess(answer) && etag !== undefined) {
      caller.etags.keep(token, url, { etag: String(etag), data: answer.data });
    }
    return answer;
  });
}

/**
 * An error in any part is an error: a missing part must not look empty. GitHub charges for queries that it stops, and would
 * stop them again: a retry asks for smaller pages.
 */
export async function callGraphql<Shape extends z.ZodType>(
  caller: Caller,
  request: GraphqlRequest<Shape>,
): Promise<GraphqlReply<z.infer<Shape>>> {
  const isWrite = request.manner === "write";
  const { query, variables } = request;
  let read: GraphqlAnswer | undefined;
  let failures = 0;
  const answer = await attempt(caller, request, async (token, timeoutMs) => {
    const first = githubLimits.pageSizes.at(failures) ?? githubLimits.pageSize;
    const sent = await caller.sendGraphql({
      method: "POST",
      path: "/graphql",
      params: { query, variables: request.isPaged === true ? { ...variables, first } : variables },
      headers: authorization(token),
      timeoutMs,
    });
    read = isSuccess(sent) ? readGraphql(sent) : undefined;
    note(caller, sent, { api: "graphql", call: request.name, points: read?.cost ?? 1, isNotModified: false });
    const honest = isSuccess(sent) && read !== undefined ? honestAnswer(sent, read) : sent;
    if (isPassing(honest)) failures += 1;
    return honest;
  });
  if (!isSuccess(answer)) throw errorOf(request, answer);
  if (read === undefined) throw malformedResponse(whatOf(request), isWrite, answer.data);
  const error = graphqlError({ what: whatOf(request), isWrite, answer, read });
  if (error !== undefined) throw error;
  return { body: readBody(request, read.data), answer };
}

export function errorOf(asked: Pick<Asked, "where" | "name" | "manner">, answer: TransportResult): ForgeError {
  return forgeError({ what: whatOf(asked), isWrite: asked.manner === "write", answer });
}

/** A read is repeated as often as that may help. */
async function attempt(caller: Caller, asked: Asked, sendWith: SendWith): Promise<TransportResult> {
  if (asked.manner !== "read") return (await sendOnce(caller, asked, sendWith)).answer;
  let hasRenewed = false;
  let last: TransportResult = neverAsked;
  const ask = async (): Promise<void> => {
    last = neverAsked;
    let sent = await sendOnce(caller, asked, sendWith);
    if (sent.isRenewable && !hasRenewed) {
      hasRenewed = true;
      sent = await sendOnce(caller, asked, sendWith);
    }
    last = sent.answer;
    if (isPassing(last)) throw errorOf(asked, last);
  };
  await retryRead(caller.clock, ask, asked.attemptsMax).catch((error: unknown) => {
    // The caller judges the last attempt, but not a missing token.
    if (last === neverAsked) throw error;
  });
  return last;
}

function isPassing(answer: TransportResult): boolean {
  return answer.kind === "silence" || answer.status >= 500;
}

type SendWith = (token: string, timeoutMs: number) => Promise<TransportResult>;

const neverAsked: TransportResult = { kind: "silence", cause: null, why: "it was never asked", isUnreached: false };

/** A token that was refused is not used again. */
async function sendOnce(
  { tokens, budgets, clock }: Caller,
  asked: Asked,
  sendWith: SendWith,
): Promise<{ readonly answer: TransportResult; readonly isRenewable: boolean }> {
  const since = asked.since ?? clock.now();
  const token = await tokens.tokenFor(asked);
  const answer = await sendWith(token.value, timeoutOf(asked, clock.now() - since));
  if (answer.kind === "answered") budgets.hear(answer, asked.repository?.name ?? null);
  const isRefused = answer.kind === "answered" && answer.status === 401;
  return { answer, isRenewable: isRefused && token.drop() };
}

function note({ onSpent }: Caller, answer: TransportResult, spent: GithubSpent): void {
  if (answer.kind === "answered") onSpent(spent);
}

function authorization(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** A write ends within its time, with all its calls: later it could repeat what another worker did who took over. */
function timeoutOf(asked: Asked, usedMs: number): number {
  if (asked.manner === "read") return githubLimits.readTimeoutMs;
  const leftMs = githubLimits.writeTimeoutMs - usedMs;
  if (leftMs > 0) return leftMs;
  throw new ForgeError("unavailable", `github ${whatOf(asked)}: its time was over before it was sent`, {
    isApplied: "no",
  });
}

function whatOf({ where, name }: Pick<Asked, "where" | "name">): string {
  return `${where}: ${name}`;
}

function readBody<Shape extends z.ZodType>(asked: Asked & { readonly shape: Shape }, data: unknown): z.infer<Shape> {
  const found = asked.shape.safeParse(data);
  if (!found.success) throw malformedResponse(whatOf(asked), asked.manner === "write", found.error);
  return found.data;
}
