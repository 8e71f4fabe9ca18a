import { type Instant, secondMs } from "#core/model/instant.ts";
import type { Desk } from "#models/desk.ts";
import type { OpenModel } from "#models/open-model.ts";
import { type Failure, readFailure } from "#models/read-failure.ts";
import { withinTime } from "#models/within-time.ts";

/** The way to a provider's own addresses, beside the packages that only know how to ask a model. */
export interface Door {
  /** Tried again while the failure may pass. */
  read(path: string, signal: AbortSignal): Promise<Reply>;
  /** Sent once. */
  write(request: Writing, signal: AbortSignal): Promise<Reply>;
}

export interface Writing {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body: string | FormData | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeMsMax?: number;
  /** It is given up then, and from then on not begun. */
  readonly until?: Instant;
}

export type Reply =
  | { readonly kind: "ok"; readonly text: string }
  /** It was answered with a refusal, or never left: nothing has happened. */
  | { readonly kind: "refused"; readonly status: number | null; readonly failure: Failure }
  /** Something may have happened. */
  | { readonly kind: "unknown"; readonly failure: Failure };

export interface DoorSettings {
  readonly desk: Desk;
  readonly model: OpenModel;
  /** With the key in them. */
  readonly headers: Readonly<Record<string, string>>;
}

const readTriesMax = 4;
const replyMsMax = 60 * secondMs;

export function openDoor(settings: DoorSettings): Door {
  const { desk } = settings;
  return {
    read: async (path, signal) => {
      for (let tries = 1; ; tries++) {
        const reply = await send(settings, { method: "GET", path, body: null }, signal);
        const isWorthIt = reply.kind !== "ok" && reply.failure.isPassing && tries < readTriesMax && !signal.aborted;
        const pauseMs = desk.spans.pauseMs * 2 ** (tries - 1);
        if (!isWorthIt || (reply.failure.retryAt ?? 0) > desk.clock.now() + pauseMs) return reply;
        await desk.clock.sleep(pauseMs, signal);
      }
    },
    write: (request, signal) => send(settings, request, signal),
  };
}

async function send(
  { desk, model, headers }: DoorSettings,
  {
    method,
    path,
    body,
    headers: more = {},
    timeMsMax = replyMsMax,
    until,
  }: Omit<Writing, "method"> & { method: string },
  signal: AbortSignal,
): Promise<Reply> {
  const ms = Math.min(timeMsMax, until === undefined ? timeMsMax : until - desk.clock.now());
  if (ms <= 0) return { kind: "refused", status: null, failure: tooLate(model) };
  const fail = (error: unknown): Failure => readFailure(error, model, desk.clock.now());
  const kind = typeof body === "string" ? { "content-type": "application/json" } : {};
  try {
    return await withinTime(desk.clock, { ms, signal }, async (inTime): Promise<Reply> => {
      const init = {
        method,
        body,
        headers: { ...headers, ...kind, ...more },
        redirect: "error",
        signal: inTime,
      } as const;
      const response = await desk.fetch(`${model.address}${path}`, init);
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

function tooLate({ name }: OpenModel): Failure {
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

/** Nobody was there to take it, or no name led there: nothing can have come of it. */
function neverLeft(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"].includes(code);
}
