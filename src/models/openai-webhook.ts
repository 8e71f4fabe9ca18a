import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { parseJson } from "#models/json-lines.ts";
import type { BatchWebhook, BatchWebhookReading } from "#ports/batch-webhook.ts";
import type { WebhookRequest } from "#ports/webhook-source.ts";

/** Signed as in Standard Webhooks: an HMAC over id, time and raw body. Throws for a secret of another kind. */
export function createOpenaiWebhook(secrets: readonly string[]): BatchWebhook {
  const keys = secrets.map(keyOf);
  return {
    read: (request, now) => {
      const id = headerOf(request, "webhook-id");
      const time = headerOf(request, "webhook-timestamp");
      const signatures = headerOf(request, "webhook-signature");
      if (id === undefined || time === undefined || signatures === undefined) return refused("unsigned");
      const signed = { id, time, body: request.body };
      if (!keys.some((key) => isSignedWith(key, signed, signatures))) return refused("bad_signature");
      return isNow(time, now) ? readEvent(request.body) : refused("too_old");
    },
  };
}

type RefusedWhy = Extract<BatchWebhookReading, { readonly kind: "refused" }>["why"];

function refused(why: RefusedWhy): BatchWebhookReading {
  return { kind: "refused", why };
}

const secretPrefix = "whsec_";
const keyBytesMin = 16;

function keyOf(secret: string): Buffer {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const key = Buffer.from(text, "base64");
  if (key.length < keyBytesMin) throw new Error(`a webhook secret of OpenAI begins with ${secretPrefix} and is longer`);
  return key;
}

function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const signaturesMax = 10;

/** Several, with a space in between, while a secret is being replaced. */
function isSignedWith(
  key: Buffer,
  { id, time, body }: { readonly id: string; readonly time: string; readonly body: Uint8Array },
  signatures: string,
): boolean {
  const wanted = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
  return signatures
    .split(" ", signaturesMax)
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice("v1,".length), "base64"))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}

/** A recorded old delivery is not believed, even with a right signature. */
const ageMsMax = 5 * minuteMs;

function isNow(time: string, now: Instant): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(Number(time) * secondMs - now) <= ageMsMax;
}

const Event = z.object({ type: z.string(), data: z.object({ id: z.string().regex(/^[\w-]{1,100}$/) }) });
const endings: ReadonlySet<string> = new Set(["batch.completed", "batch.failed", "batch.expired", "batch.cancelled"]);

function readEvent(body: Uint8Array): BatchWebhookReading {
  const event = parseJson(new TextDecoder().decode(body));
  const type = z.object({ type: z.string() }).safeParse(event).data?.type;
  if (type !== undefined && !endings.has(type)) return { kind: "ignored", why: "unrelated_event" };
  const read = Event.safeParse(event);
  return read.success ? { kind: "ended", batch: read.data.data.id } : refused("malformed");
}
