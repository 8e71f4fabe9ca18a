import { z } from "zod";
import { after, hourMs, type Instant, secondMs } from "#core/model/instant.ts";

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

/** A longer pause is a mistake, or cannot be planned with. */
const retryMsMax = 24 * hourMs;

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
