import { z } from "zod";
import { after, hourMs, type Instant, secondMs } from "#core/model/instant.ts";
import { plainLine } from "#core/words/plain-text.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { CallOutcome } from "#ports/model.ts";

/** A longer pause is a mistake, or cannot be planned with. */
const retryMsMax = 24 * hourMs;

export interface ModelFailure {
  readonly outcome: Extract<CallOutcome, "rate_limited" | "unavailable" | "timed_out" | "rejected" | "aborted">;
  readonly why: string;
  readonly isPassing: boolean;
  readonly retryAt: Instant | null;
}

/** An error may quote the key and does quote the request: only a line without the key is passed on. */
export function readFailure(error: unknown, { entry, name }: ModelClient, now: Instant): ModelFailure {
  const { statusCode, responseHeaders, responseBody, message } = readFields(error);
  const refusal = readRefusal(responseBody);
  // A connection lost in the middle of an answer has the status with which it began.
  const status = statusCode === undefined || statusCode < 400 ? statusOf(refusal.type) : statusCode;
  const retryAt = readRetryAfter({ headers: responseHeaders, body: responseBody, now });
  if (status === undefined) {
    const said = detail(refusal.message ?? message, entry.key?.reveal());
    return { outcome: "unavailable", why: `${name} broke off${said}`, isPassing: true, retryAt };
  }
  const isPaid = refusal.type !== "insufficient_quota" && refusal.code !== "insufficient_quota";
  if (status === 429 && isPaid) {
    return { outcome: "rate_limited", why: `${name} is asked too often (429)`, isPassing: true, retryAt };
  }
  if (status >= 500 || status === 408 || status === 409) {
    return { outcome: "unavailable", why: `${name} is not available (${status})`, isPassing: true, retryAt };
  }
  const said = detail(refusal.message ?? message, entry.key?.reveal());
  const why = `${name}: ${rejectionWords(isPaid ? status : 402, entry)}${[401, 403].includes(status) ? "" : said}`;
  return { outcome: "rejected", why, isPassing: false, retryAt: null };
}

const CallError = z.object({
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).catch({}).default({}),
  responseBody: z.string().catch("").default(""),
  message: z.string().catch("").default(""),
});

/** Errors in the middle of a stream come as bare values, which are read as if they were the body. */
function readFields(error: unknown): z.infer<typeof CallError> {
  const read = CallError.safeParse(error);
  const fields = read.success ? read.data : { ...CallError.parse({}), statusCode: undefined };
  if (fields.statusCode !== undefined || fields.responseBody !== "" || error instanceof Error) return fields;
  return { ...fields, responseBody: bodyOf(error) };
}

function bodyOf(value: unknown): string {
  try {
    return JSON.stringify({ error: value }) ?? "";
  } catch {
    return "";
  }
}

const word = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
const Refusal = z.object({
  error: z.object({ message: z.string().optional().catch(undefined), type: word, code: word }),
});
type Refusal = z.infer<typeof Refusal>["error"];

function readRefusal(body: string): Refusal {
  try {
    const read = Refusal.safeParse(JSON.parse(body));
    if (read.success) return read.data.error;
  } catch {
    // No JSON says no more than no body.
  }
  return { message: undefined, type: undefined, code: undefined };
}

/** An error in the middle of a stream, as the status of one before it. */
function statusOf(type: string | undefined): number | undefined {
  return type === undefined ? undefined : statuses.get(type);
}

const statuses: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["insufficient_quota", 429],
  ["api_error", 500],
  ["server_error", 500],
  ["overloaded_error", 529],
]);

function rejectionWords(status: number, { keyName, model, key }: ModelClient["entry"]): string {
  switch (status) {
    case 401:
      return key === null ? `it wants a key (401): set ${keyName}` : `the key in ${keyName} was refused (401)`;
    case 402:
      return `the account of the key in ${keyName} has no credit left`;
    case 403:
      return `the key in ${keyName} may not use ${JSON.stringify(model)} (403)`;
    case 404:
      return `there is no model ${JSON.stringify(model)} at this address (404): check the name and the address`;
    case 413:
      return "the prompt is too large for it (413)";
    default:
      return `the request was refused (${status})`;
  }
}

function detail(message: string, key: string | undefined): string {
  const blotted = key === undefined || key === "" ? message : message.replaceAll(key, "***");
  const line = plainLine(blotted, detailCharactersMax);
  return line === "" ? "" : `: ${line}`;
}

const detailCharactersMax = 200;

interface Told {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: Instant;
}

/** From `retry-after-ms`, `retry-after` (seconds or date), or Google's delay in the body. Null where none is readable. */
export function readRetryAfter({ headers, body, now }: Told): Instant | null {
  const ms = ownMs(headers["retry-after-ms"]) ?? secondsOrDateMs(headers["retry-after"], now) ?? googleDelayMs(body);
  return ms === undefined ? null : after(now, Math.min(ms, retryMsMax));
}

function ownMs(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Math.ceil(Number(text)) : undefined;
}

function secondsOrDateMs(text: string | undefined, now: Instant): number | undefined {
  if (text === undefined) return undefined;
  const seconds = ownSeconds(text.trim());
  if (seconds !== undefined) return Math.ceil(seconds * secondMs);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function ownSeconds(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const GoogleError = z.object({
  error: z.object({ details: z.array(z.looseObject({ retryDelay: z.string().optional() })) }),
});

function googleDelayMs(body: string): number | undefined {
  if (!body.includes("retryDelay")) return undefined;
  const read = GoogleError.safeParse(parse(body));
  const delay = read.data?.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  const seconds = delay?.endsWith("s") === true ? ownSeconds(delay.slice(0, -1)) : undefined;
  return seconds === undefined ? undefined : Math.ceil(seconds * secondMs);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
