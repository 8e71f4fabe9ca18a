import type { IncomingMessage } from "node:http";
import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import type { Intake } from "#ports/intake.ts";
import type { LogFacts } from "#ports/log.ts";
import type { WebhookReading, WebhookSource } from "#ports/webhook-source.ts";
import type { BoundedMemory } from "#server/bounded-memory.ts";
import { readBody } from "#server/read-body.ts";
import type { ServerLimits } from "#server/server-limits.ts";
import type { WebhookOutcome } from "#server/webhook-counts.ts";
import { withTimeout } from "#server/with-timeout.ts";

export interface ReceiveWebhookContext {
  /** Asked anew each time, so that a reload holds for the next delivery. */
  readonly sources: () => readonly WebhookSource[];
  readonly intake: Intake;
  readonly memory: BoundedMemory;
  readonly limits: ServerLimits;
}

export interface IncomingWebhook {
  readonly request: IncomingMessage;
  readonly manner: string;
  readonly receivedAt: Instant;
}

export interface ReceivedWebhook {
  readonly outcome: WebhookOutcome;
  readonly facts: LogFacts;
}

/** Nothing else happens while the sender waits. */
export async function receiveWebhook(
  context: ReceiveWebhookContext,
  incoming: IncomingWebhook,
): Promise<ReceivedWebhook> {
  const { request, manner } = incoming;
  const sources = context.sources().filter((source) => source.manner === manner);
  if (sources.length === 0) return ended({ kind: "refused", why: "unknown_source" });
  if (!isJson(request)) return ended({ kind: "refused", why: "content_type" });
  const body = await readBody(request, { bytesMax: context.limits.bodyBytesMax, memory: context.memory });
  switch (body.kind) {
    case "body":
      return await takeIn(context, incoming, { sources, body: body.bytes });
    case "too_large":
      return ended({ kind: "refused", why: "too_large" });
    case "no_memory":
      return ended({ kind: "busy", why: "memory" });
    case "gone":
      return ended({ kind: "gone" });
    default:
      return never(body);
  }
}

function ended(outcome: WebhookOutcome, facts: LogFacts = {}): ReceivedWebhook {
  return { outcome, facts };
}

/** With any parameters. GitHub can also send forms, which Drover does not ask for. */
function isJson({ headers }: IncomingMessage): boolean {
  const isPlain = headers["content-encoding"] === undefined || headers["content-encoding"] === "identity";
  return isPlain && /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}

/** If no secret fits, the problem of the last source is reported. */
async function takeIn(
  context: ReceiveWebhookContext,
  incoming: IncomingWebhook,
  signed: SignedBody,
): Promise<ReceivedWebhook> {
  let outcome: WebhookOutcome = { kind: "refused", why: "unsigned" };
  for (const source of signed.sources) {
    const reading = source.read({ headers: incoming.request.headers, body: signed.body });
    if (reading.kind === "reference") return await writeDown(context, incoming, { instance: source.instance, reading });
    outcome = reading;
    if (isVerified(reading)) break;
  }
  return ended(outcome);
}

interface SignedBody {
  readonly sources: readonly WebhookSource[];
  readonly body: Uint8Array;
}

function isVerified(reading: WebhookReading): boolean {
  return reading.kind !== "refused" || (reading.why !== "unsigned" && reading.why !== "bad_signature");
}

/** Taken only if all its pulls are stored. A repetition does no harm. */
async function writeDown(
  context: ReceiveWebhookContext,
  incoming: IncomingWebhook,
  read: ReadBody,
): Promise<ReceivedWebhook> {
  const { instance, reading } = read;
  const { pulls, delivery, event, author } = reading;
  const whose = author === undefined ? {} : { author };
  const facts = {
    instance,
    event,
    delivery,
    pulls: pulls.map(({ repository, number }) => `${repository.name}#${number}`),
  };
  const accepting = pulls.map((pull) =>
    context.intake.accept({ instance, pull, ...whose, delivery, kind: event, receivedAt: incoming.receivedAt }),
  );
  const answers = await withTimeout(Promise.all(accepting), { ms: context.limits.answerMsMax, late: undefined });
  const isTaken = answers?.every((answer) => answer === "accepted") === true;
  return ended(isTaken ? { kind: "taken" } : { kind: "busy", why: "intake" }, facts);
}

interface ReadBody {
  readonly instance: InstanceId;
  readonly reading: Extract<WebhookReading, { readonly kind: "reference" }>;
}
