import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import { type WebhookManner, webhookManners } from "#ports/webhook-source.ts";
import type { Answer } from "#server/answer.ts";
import { type ReceivedWebhook, receiveWebhook, type WebhookRoom } from "#server/receive-webhook.ts";
import type { Exchange, Route } from "#server/router.ts";
import { sparingWarnings } from "#server/sparing-log.ts";
import { webhookAnswer } from "#server/webhook-answer.ts";
import type { WebhookCounts } from "#server/webhook-counts.ts";

export interface WebhookDesk extends WebhookRoom {
  readonly counts: WebhookCounts;
  readonly clock: Clock;
  readonly log: Log;
}

/** `POST /webhooks/github` and its like: each delivery is counted, and has one line in the log. */
export function webhookRoutes(desk: WebhookDesk): readonly (readonly [path: string, Route])[] {
  const warn = sparingWarnings(desk);
  return webhookManners.map((manner) => [
    `/webhooks/${manner}`,
    { methods: ["POST"], handle: (exchange) => answerTo(desk, { manner, exchange, warn }) },
  ]);
}

async function answerTo(desk: WebhookDesk, { manner, exchange, warn }: Received): Promise<Answer | undefined> {
  const { counts, clock, log } = desk;
  counts.began();
  const { outcome, facts } = await receiveSafely(desk, { manner, exchange });
  const ms = clock.now() - exchange.receivedAt;
  counts.ended(manner, outcome, ms);
  const why = "why" in outcome ? { why: outcome.why } : {};
  const line = { request: exchange.id, manner, outcome: outcome.kind, ...why, ...facts, ms };
  const isWell = outcome.kind === "taken" || outcome.kind === "ignored";
  if (isWell) log.info(line, "webhook");
  else warn(line, "webhook");
  return outcome.kind === "gone" ? undefined : webhookAnswer(outcome);
}

interface Received {
  readonly manner: WebhookManner;
  readonly exchange: Exchange;
  readonly warn: Log["warn"];
}

/** Whatever goes wrong here, it was not written down as far as we know: the sender is told to come again. */
async function receiveSafely(desk: WebhookDesk, received: Omit<Received, "warn">): Promise<ReceivedWebhook> {
  const { request, receivedAt, isStopping, id } = received.exchange;
  if (isStopping) return { outcome: { kind: "busy", why: "stopping" }, facts: {} };
  try {
    return await receiveWebhook(desk, { request, manner: received.manner, receivedAt });
  } catch (error) {
    desk.log.error({ request: id, why: error instanceof Error ? error.message : String(error) }, "webhook failed");
    return { outcome: { kind: "busy", why: "failure" }, facts: {} };
  }
}
