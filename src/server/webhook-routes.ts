import type { IncomingMessage } from "node:http";
import { errorText } from "#core/error-text.ts";
import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import type { Clock } from "#ports/clock.ts";
import type { Intake } from "#ports/intake.ts";
import type { Log, LogFacts } from "#ports/log.ts";
import type { WebhookReading, WebhookSource } from "#ports/webhook-source.ts";
import type { BoundedMemory } from "#server/bounded-memory.ts";
import { busyResponse, type HttpResponse, jsonResponse } from "#server/http-response.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";
import { readBody } from "#server/read-body.ts";
import type { Exchange, Route } from "#server/router.ts";
import type { ServerLimits } from "#server/server-limits.ts";
import type { WebhookCounts, WebhookOutcome } from "#server/webhook-counts.ts";
import { withTimeout } from "#server/with-timeout.ts";

export interface WebhookRoutesContext extends ReceiveWebhookContext {
  readonly counts: WebhookCounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly webhookManners: readonly string[];
}

export function webhookRoutes(context: WebhookRoutesContext): readonly (readonly [path: string, Route])[] {
  const warn = rateLimitedWarnings(context);
  return context.webhookManners.map((manner) => [
    `/webhooks/${manner}`,
    { methods: ["POST"], handle: (exchange) => answerTo(context, { manner, exchange, warn }) },
  ]);
}

async function answerTo(
  context: WebhookRoutesContext,
  { manner, exchange, warn }: Received,
): Promise<HttpResponse | undefined> {
  const { counts, clock, log } = context;
  counts.began();
  const { outcome, facts } = await receiveSafely(context, { manner, exchange });
  const ms = clock.now() - exchange.receivedAt;
  counts.ended(manner, outcome, ms);
  const why = "why" in outcome ? { why: outcome.why } : {};
  const line = { request: exchange.id, manner, outcome: outcome.kind, ...why, ...facts, ms };
  const isWell = outcome.kind === "taken" || outcome.kind === "ignored";
  if (isWell) log.info(line, "webhook");
  else warn(line, "webhook");
  return outcome.kind === "gone" ? undefined : webhookResponse(outcome);
}

interface Received {
  readonly manner: string;
  readonly exchange: Exchange;
  readonly warn: Log["warn"];
}

/** After any failure it counts as not stored, and the sender is told to come again. */
async function receiveSafely(
  context: WebhookRoutesContext,
  received: Omit<Received, "warn">,
): Promise<ReceivedWebhook> {
  const { request, receivedAt, isStopping, id } = received.exchange;
  if (isStopping) return { outcome: { kind: "busy", why: "stopping" }, facts: {} };
  try {
    return await receiveWebhook(context, { request, manner: received.manner, receivedAt });
  } catch (error) {
    context.log.error({ request: id, why: errorText(error) }, "webhook failed");
    return { outcome: { kind: "busy", why: "failure" }, facts: {} };
  }
}

type RefusedWhy = Extract<WebhookOutcome, { readonly kind: "refused" }>["why"];

/** 202 only for what was stored. A delivery that needs no tick gets 200, so that the forge's list tells them apart. */
function webhookResponse(outcome: Exclude<WebhookOutcome, { readonly kind: "gone" }>): HttpResponse {
  switch (outcome.kind) {
    case "taken":
      return taken;
    case "ignored":
      return jsonResponse(200, { ignored: outcome.why });
    case "refused":
      return refusedAnswer(outcome.why);
    case "busy":
      return outcome.why === "memory" ? { ...busyResponse(outcome.why), isLast: true } : busyResponse(outcome.why);
    default:
      return never(outcome);
  }
}

const taken: HttpResponse = jsonResponse(202, { taken: true });

function refusedAnswer(why: RefusedWhy): HttpResponse {
  const { status, hint } = refusals[why];
  // The rest of a body that is too large is not read.
  return jsonResponse(status, { refused: why, hint }, { isLast: why === "too_large" });
}

/** Forges show these to the people who set up a hook. */
const refusals: Readonly<Record<RefusedWhy, { readonly status: number; readonly hint: string }>> = {
  unsigned: { status: 401, hint: "give the webhook a secret, the same one as in Drover's configuration" },
  bad_signature: { status: 401, hint: "the webhook's secret is none of those in Drover's configuration" },
  no_event: { status: 400, hint: "the header that names the event is missing" },
  wrong_forge: { status: 400, hint: "this forge's deliveries go to another path under /webhooks/" },
  no_such_name: { status: 400, hint: "no repository has such a name, or no pull such a number" },
  malformed: { status: 400, hint: "the body is not what an event of this name looks like" },
  content_type: { status: 415, hint: "set the webhook's content type to application/json" },
  too_large: { status: 413, hint: "no forge sends so much" },
  unknown_source: { status: 404, hint: "no forge of this kind has a webhook secret in Drover's configuration" },
};

interface ReceiveWebhookContext {
  /** Asked anew each time, so that a reload holds for the next delivery. */
  readonly sources: () => readonly WebhookSource[];
  readonly intake: Intake;
  readonly memory: BoundedMemory;
  readonly limits: ServerLimits;
}

interface IncomingWebhook {
  readonly request: IncomingMessage;
  readonly manner: string;
  readonly receivedAt: Instant;
}

interface ReceivedWebhook {
  readonly outcome: WebhookOutcome;
  readonly facts: LogFacts;
}

/** Nothing else happens while the sender waits. */
async function receiveWebhook(context: ReceiveWebhookContext, incoming: IncomingWebhook): Promise<ReceivedWebhook> {
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
  signed: { readonly sources: readonly WebhookSource[]; readonly body: Uint8Array },
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
