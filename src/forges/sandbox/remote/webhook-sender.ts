import { randomUUID } from "node:crypto";
import { type Posted, postOnce } from "#forges/sandbox/remote/post-once.ts";
import { type SignedWebhook, type WebhookToSend, webhookRequest } from "#forges/sandbox/remote/webhook-request.ts";
import type { Sandbox, SandboxDelivery } from "#forges/sandbox/sandbox.ts";

export interface WebhookTarget {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly secret: string;
  readonly requestOf?: (webhook: WebhookToSend) => SignedWebhook;
  readonly onSent?: (sent: SentWebhook) => void;
}

export interface WebhookSender {
  readonly sent: readonly SentWebhook[];
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface SentWebhook {
  readonly delivery: SandboxDelivery;
  readonly outcome: SendOutcome;
}

export type SendOutcome = { readonly kind: "answered"; readonly status: number } | Exclude<Posted, { body: string }>;

const webhookLimits = {
  /** As long as GitHub waits for an answer. */
  answerMsMax: 10_000,
  answerBytesMax: 1024 * 1024,
  connectionsMax: 16,
} as const;

/** Once each. A failed delivery is lost until it is redelivered, as on GitHub. */
export function createWebhookSender({ sandbox, url, secret, requestOf, onSent }: WebhookTarget): WebhookSender {
  const address = new URL(`/webhooks/${sandbox.manner}`, url).href;
  const make = requestOf ?? ((webhook: WebhookToSend) => webhookRequest(sandbox.manner, webhook));
  const requests = new Map<string, SignedWebhook>();
  const waiting: SandboxDelivery[] = [];
  const onTheirWay = new Set<Promise<void>>();
  const sent: SentWebhook[] = [];
  let isStopped = false;

  function requestFor(delivery: SandboxDelivery): SignedWebhook {
    const request = requests.get(delivery.id) ?? make({ delivery, guid: randomUUID(), secret });
    requests.set(delivery.id, request);
    return request;
  }

  async function send(delivery: SandboxDelivery): Promise<void> {
    const request = requestFor(delivery);
    const { answerMsMax: msMax, answerBytesMax } = webhookLimits;
    const posted = await postOnce({ url: address, ...request, msMax, answerBytesMax });
    const outcome = posted.kind === "answered" ? { kind: posted.kind, status: posted.status } : posted;
    sent.push({ delivery, outcome });
    onSent?.({ delivery, outcome });
  }

  function start(): void {
    while (onTheirWay.size < webhookLimits.connectionsMax) {
      const delivery = waiting.shift();
      if (delivery === undefined) return;
      const sending = send(delivery).finally(() => {
        onTheirWay.delete(sending);
        start();
      });
      onTheirWay.add(sending);
    }
  }

  async function settle(): Promise<void> {
    while (onTheirWay.size > 0) await Promise.all(onTheirWay);
  }

  sandbox.subscribe((delivery) => {
    if (isStopped) return;
    requestFor(delivery);
    waiting.push(delivery);
    start();
  });
  return {
    sent,
    settle,
    stop: async () => {
      isStopped = true;
      waiting.length = 0;
      await settle();
    },
  };
}
