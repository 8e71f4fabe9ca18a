import { backoffMs } from "#core/backoff.ts";
import { codeOf } from "#core/error-code.ts";
import { type Instant, secondMs } from "#core/model/instant.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { type ModelFailure, readFailure } from "#models/read-failure.ts";
import { withDeadline } from "#models/with-deadline.ts";

/** The packages only know how to ask a model. */
export interface BatchTransport {
  read(path: string, signal: AbortSignal): Promise<BatchReply>;
  write(request: BatchWrite, signal: AbortSignal): Promise<BatchReply>;
}

export interface BatchWrite {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body: string | FormData | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeMsMax?: number;
  /** Given up then, and not begun later. */
  readonly until?: Instant;
}

export type BatchReply =
  | { readonly kind: "ok"; readonly text: string }
  | { readonly kind: "refused"; readonly status: number | null; readonly failure: ModelFailure }
  | { readonly kind: "unknown"; readonly failure: ModelFailure };

export interface BatchTransportOptions {
  readonly context: ModelCallContext;
  readonly model: ModelClient;
  readonly headers: Readonly<Record<string, string>>;
}

const readTriesMax = 4;
const replyMsMax = 60 * secondMs;

export function createBatchTransport(settings: BatchTransportOptions): BatchTransport {
  const { context } = settings;
  return {
    read: async (path, signal) => {
      for (let tries = 1; ; tries++) {
        const reply = await send(settings, { method: "GET", path, body: null }, signal);
        const isWorthIt = reply.kind !== "ok" && reply.failure.isPassing && tries < readTriesMax && !signal.aborted;
        const pauseMs = backoffMs({ attempt: tries, firstMs: context.durations.pauseMs });
        if (!isWorthIt || (reply.failure.retryAt ?? 0) > context.clock.now() + pauseMs) return reply;
        await context.clock.sleep(pauseMs, signal);
      }
    },
    write: (request, signal) => send(settings, request, signal),
  };
}

async function send(
  { context, model, headers }: BatchTransportOptions,
  {
    method,
    path,
    body,
    headers: more = {},
    timeMsMax = replyMsMax,
    until,
  }: Omit<BatchWrite, "method"> & { method: string },
  signal: AbortSignal,
): Promise<BatchReply> {
  const ms = Math.min(timeMsMax, until === undefined ? timeMsMax : until - context.clock.now());
  if (ms <= 0) return { kind: "refused", status: null, failure: tooLate(model) };
  const fail = (error: unknown): ModelFailure => readFailure(error, model, context.clock.now());
  const kind = typeof body === "string" ? { "content-type": "application/json" } : {};
  try {
    return await withDeadline(context.clock, { ms, signal }, async (inTime): Promise<BatchReply> => {
      const init = {
        method,
        body,
        headers: { ...headers, ...kind, ...more },
        redirect: "error",
        signal: inTime,
      } as const;
      const response = await context.fetch(`${model.address}${path}`, init);
      const text = await readText(response);
      if (response.ok) return { kind: "ok", text };
      const { status } = response;
      const failure = fail({
        statusCode: status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: text.slice(0, refusalCharactersMax),
        message: "",
      });
      return status < 500 ? { kind: "refused", status, failure } : { kind: "unknown", failure };
    });
  } catch (error) {
    return neverLeft(error)
      ? { kind: "refused", status: null, failure: fail(error) }
      : { kind: "unknown", failure: fail(error) };
  }
}

function tooLate({ name }: ModelClient): ModelFailure {
  return { outcome: "timed_out", why: `nothing was sent to ${name} in time`, isPassing: true, retryAt: null };
}

const refusalCharactersMax = 10_000;
/** Answers to our own questions: a few thousand tokens each. */
const replyBytesMax = 64 * 1024 * 1024;

async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let count = 0;
  for await (const chunk of response.body) {
    count += chunk.byteLength;
    if (count > replyBytesMax) throw new Error(`the answer has more than ${replyBytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** No server took it, or no address had that name: nothing can have come of it. */
function neverLeft(error: unknown): boolean {
  const code = codeOf(error instanceof Error ? error.cause : undefined);
  return code !== undefined && ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"].includes(code);
}
