import { errorText } from "#core/error-text.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { HttpResponse } from "#server/http-response.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";
import { type ReceivedWebhook, type ReceiveWebhookContext, receiveWebhook } from "#server/receive-webhook.ts";
import type { Exchange, Route } from "#server/router.ts";
import type { WebhookCounts } from "#server/webhook-counts.ts";
import { webhookResponse } from "#server/webhook-response.ts";

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
