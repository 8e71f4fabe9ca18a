import { Agent } from "node:http";
import type { z } from "zod";
import { Permission } from "#core/model/account.ts";
import { CommentId, ReviewId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import { type Posted, postOnce } from "#forges/sandbox/remote/post-once.ts";
import {
  CallAnswer,
  ClaimTold,
  DigestsTold,
  gateNameHeader,
  IdentityTold,
  MergeTold,
  NothingTold,
  PullTold,
  RemoteTold,
  RepositoryShape,
} from "#forges/sandbox/remote/rpc-schema.ts";
import { noAnswerCode, noAnswerReason } from "#forges/unreached.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError, type ForgeErrorKind, forgeWrites, type RateLimitStatus } from "#ports/forge.ts";
import type { Remote } from "#ports/git.ts";

export interface RemoteSandboxOptions {
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
  readonly gateName?: string | undefined;
  readonly callMsMax?: number;
}

const remoteLimits = {
  /** Below the margin that the ledger keeps for a call under a lease. */
  callMsMax: 9_000,
  /** A pull at all its limits is some tens of megabytes. */
  answerBytesMax: 256 * 1024 * 1024,
  connectionsMax: 32,
  /** Shorter than the server's: a call on a closing connection would have an unknown outcome. */
  idleMsMax: 4_000,
} as const;

/** On a sandbox in another process (`serveSandbox`). Every call is sent once, reads included. */
export function createRemoteSandbox(parts: RemoteSandboxOptions): Forge {
  const { ask, findBudget } = askWith(parts);
  return {
    fetchIdentity: () => ask("fetchIdentity", null, IdentityTold),
    fetchRepository: (name) => ask("fetchRepository", name, RepositoryShape),
    findRateLimit: findBudget,
    fetchPull: (pull) => ask("fetchPull", pull, PullTold),
    fetchPermission: (request) => ask("fetchPermission", request, Permission),
    fetchOpenPulls: (repository) => ask("fetchOpenPulls", repository, DigestsTold),
    fetchRemote: async (repository) => readRemote(await ask("fetchRemote", repository, RemoteTold)),
    createComment: (request) => ask("createComment", request, CommentId),
    editComment: (request) => ask("editComment", request, NothingTold),
    addReaction: (request) => ask("addReaction", request, NothingTold),
    claimPull: (request) => ask("claimPull", request, ClaimTold),
    releasePull: (request) => ask("releasePull", request, NothingTold),
    submitReview: (request) => ask("submitReview", request, ReviewId),
    editReview: (request) => ask("editReview", request, NothingTold),
    dismissReview: (request) => ask("dismissReview", request, NothingTold),
    discardPendingReview: (request) => ask("discardPendingReview", request, NothingTold),
    replyInThread: (request) => ask("replyInThread", request, CommentId),
    resolveThread: (request) => ask("resolveThread", request, NothingTold),
    setGate: (request) => ask("setGate", request, NothingTold),
    editLabels: (request) => ask("editLabels", request, NothingTold),
    requestReviews: (request) => ask("requestReviews", request, NothingTold),
    // It merges by itself, so nothing is ever handed over to it.
    merge: ({ pull, head }) => ask("merge", { pull, head }, MergeTold),
  };
}

type Ask = <Told extends z.ZodType>(method: keyof Forge, request: unknown, told: Told) => Promise<z.output<Told>>;

function askWith(parts: RemoteSandboxOptions): { readonly ask: Ask; readonly findBudget: Forge["findRateLimit"] } {
  const { url, token, clock, gateName, callMsMax = remoteLimits.callMsMax } = parts;
  const { connectionsMax: maxSockets, idleMsMax: timeout } = remoteLimits;
  const agent = new Agent({ keepAlive: true, maxSockets, timeout });
  const named = gateName === undefined ? {} : { [gateNameHeader]: encodeURIComponent(gateName) };
  let budget: RateLimitStatus | null = null;
  const ask: Ask = async (method, request, told) => {
    const posted = await postOnce({
      url: new URL(`/forge/${method}`, url).href,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...named },
      body: JSON.stringify(request),
      msMax: callMsMax,
      answerBytesMax: remoteLimits.answerBytesMax,
      agent,
    });
    const answer = readAnswer(method, posted, url);
    budget = answer.budget;
    if (answer.kind === "error") {
      const { kind, message, isApplied, retryAfterMs } = answer.error;
      const retryAt = retryAfterMs === null ? null : after(clock.now(), retryAfterMs);
      throw new ForgeError(kind, message, { isApplied, retryAt });
    }
    const read = told.safeParse(answer.answer);
    if (read.success) return read.data;
    throw failure(method, "malformed", { said: "the answer does not read as what it should be", cause: read.error });
  };
  return { ask, findBudget: () => budget };
}

const neverAnswers = Object.assign(new Error("no answer in time"), { code: noAnswerCode });
const nobodyListens = Object.assign(new Error("the connection was refused"), { code: "ECONNREFUSED" });

function readAnswer(method: keyof Forge, posted: Posted, url: string): CallAnswer {
  if (posted.kind === "refused") {
    const { why: said, isUnreached } = noAnswerReason(url, nobodyListens);
    throw failure(method, "unavailable", { said, isApplied: "no", isUnreached });
  }
  if (posted.kind === "silent") {
    const { why: said, isUnreached } = noAnswerReason(url, neverAnswers);
    throw failure(method, "unavailable", { said, isUnreached });
  }
  if (posted.kind === "broken") throw failure(method, "unavailable", { said: posted.why });
  const { status, body } = posted;
  if (status === 200) return readEnvelope(method, body);
  // The server checks a call first: what it turned away has not happened.
  const kind = kinds.get(status);
  if (kind !== undefined) throw failure(method, kind, { said: `${status} ${body.trim()}`, isApplied: "no" });
  throw failure(method, "unavailable", { said: String(status) });
}

const kinds: ReadonlyMap<number, ForgeErrorKind> = new Map([
  [400, "refused"],
  [401, "unauthorized"],
  [404, "refused"],
  [413, "refused"],
]);

function readEnvelope(method: keyof Forge, body: string): CallAnswer {
  try {
    return CallAnswer.parse(JSON.parse(body));
  } catch (cause) {
    throw failure(method, "malformed", { said: "the answer is not one of a sandbox", cause });
  }
}

interface Facts {
  readonly said: string;
  readonly isApplied?: "no";
  readonly cause?: unknown;
  readonly isUnreached?: boolean;
}

function failure(
  method: keyof Forge,
  kind: ForgeErrorKind,
  { said, isApplied, cause, isUnreached }: Facts,
): ForgeError {
  const isWrite = forgeWrites.some((write) => write === method);
  return new ForgeError(kind, `sandbox: ${method}: ${said}`, {
    isApplied: isApplied ?? (isWrite ? "unknown" : "no"),
    cause,
    ...(isUnreached === undefined ? {} : { isUnreached }),
  });
}

function readRemote({ url, credential }: z.infer<typeof RemoteTold>): Remote {
  if (credential === null) return { url, credential };
  const { username, secret } = credential;
  return { url, credential: { username, reveal: () => secret } };
}
