import { z } from "zod";
import type { InstanceId } from "#core/model/ids.ts";
import type { FieldTree } from "#forges/field-tree.ts";
import { isSigned, type SigningKeys } from "#forges/signature.ts";
import { readSignedJson } from "#forges/signed-json.ts";
import { findAuthor } from "#forges/webhook-body.ts";
import { namesNothing } from "#forges/webhook-names.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { IgnoredWebhookReason, WebhookReading, WebhookRequest } from "#ports/webhook-source.ts";

/** From the headers, before anything is believed. */
export interface Envelope {
  /** In hex; undefined or empty where it was not signed. */
  readonly signature: string | undefined;
  readonly event: string | undefined;
  readonly delivery: string | undefined;
  /** Another forge's headers, which only pass for this one's. */
  readonly isForeign: boolean;
}

export interface SignedWebhookSettings {
  readonly instance: InstanceId;
  /** Two while one is being replaced by the other. */
  readonly secrets: readonly string[];
  /** Drover's own account. Unknown ones are others: a look too many does no harm. */
  readonly isBot?: (account: string) => boolean;
}

/** A word where there is nothing to read. */
export type EventReader = IgnoredWebhookReason | PullEventReader;

export interface PullEventReader {
  readonly wanted: readonly FieldTree[];
  pullsOf(body: unknown): IgnoredWebhookReason | readonly PullRef[] | undefined;
}

/** The order matters: nothing is looked at that has not been signed. */
export function readWebhook({ request, envelope, keys, readerOf, isOwn }: WebhookParts): WebhookReading {
  const { signature, event, delivery, isForeign } = envelope;
  if (signature === undefined || signature === "") return { kind: "refused", why: "unsigned" };
  if (!isSigned({ body: request.body, hex: signature, keys })) return { kind: "refused", why: "bad_signature" };
  if (isForeign) return { kind: "refused", why: "wrong_forge" };
  if (event === undefined || !eventPattern.test(event)) return { kind: "refused", why: "no_event" };
  const reader = readerOf(event);
  if (typeof reader === "string") return { kind: "ignored", why: reader };
  const body = readJsonFields(request.body, reader.wanted);
  const pulls = reader.pullsOf(body);
  if (pulls === undefined) return { kind: "refused", why: namesNothing(body) ? "no_such_name" : "malformed" };
  if (typeof pulls === "string") return { kind: "ignored", why: pulls };
  if (isOwn?.(event, body) === true) return { kind: "ignored", why: "own" };
  const id = delivery !== undefined && deliveryPattern.test(delivery) ? delivery : null;
  const author = findAuthor(body);
  const whose = author === undefined ? {} : { author };
  return { kind: "reference", pulls, ...whose, delivery: id, event: withAction(event, body) };
}

interface WebhookParts {
  readonly request: WebhookRequest;
  readonly envelope: Envelope;
  readonly keys: SigningKeys;
  readonly readerOf: (event: string) => EventReader;
  readonly isOwn?: (event: string, body: unknown) => boolean;
}

/** Came once: Node joins repeated headers, and such a value is never a good one. */
export function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Headers are not signed: they may say anything, at any length. */
const eventPattern = /^[a-z0-9_]{1,64}$/;
const deliveryPattern = /^[\w-]{1,64}$/;

const Acting = z.object({ action: z.string().regex(/^[a-z_]{1,64}$/) });

function withAction(event: string, body: unknown): string {
  const acting = Acting.safeParse(body);
  return acting.success ? `${event}.${acting.data.action}` : event;
}

/** Undefined for what is no JSON. Only for bytes of a checked signature: unwanted fields are mostly not looked at. */
export function readJsonFields(bytes: Uint8Array, wanted: readonly FieldTree[]): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readSignedJson(buffer, wanted) ?? parseWhole(buffer);
}

function parseWhole(buffer: Buffer): unknown {
  try {
    return JSON.parse(buffer.toString("utf8"));
  } catch {
    return undefined;
  }
}
