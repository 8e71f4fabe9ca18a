import { createWebhookSender, type SentWebhook, type WebhookSender } from "#forges/sandbox/remote/webhook-sender.ts";
import type { Sandbox, SandboxDelivery } from "#forges/sandbox/sandbox.ts";

export interface SendInTurn {
  readonly sandbox: Sandbox;
  readonly urls: readonly string[];
  readonly secret: string;
  readonly onSent: (sent: SentWebhook) => void;
}

/** Sends each delivery to one of several servers, in turn, as a balancer does that looks after nobody. */
export function sendInTurn({ sandbox, urls, secret, onSent }: SendInTurn): WebhookSender {
  const sent: SentWebhook[] = [];
  const told = (one: SentWebhook): void => {
    sent.push(one);
    onSent(one);
  };
  const listeners: ((delivery: SandboxDelivery) => void)[] = [];
  const subscribe: Sandbox["subscribe"] = (listener) => void listeners.push(listener);
  const senders = urls.map((url) => {
    return createWebhookSender({ sandbox: { ...sandbox, subscribe }, url, secret, onSent: told });
  });
  let count = 0;
  sandbox.subscribe((delivery) => {
    listeners[count % listeners.length]?.(delivery);
    count += 1;
  });
  return {
    sent,
    settle: async () => void (await Promise.all(senders.map((sender) => sender.settle()))),
    stop: async () => void (await Promise.all(senders.map((sender) => sender.stop()))),
  };
}
