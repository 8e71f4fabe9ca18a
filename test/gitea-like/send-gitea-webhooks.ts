import { createHmac } from "node:crypto";
import { giteaEventType, type SignedWebhook, type WebhookToSend } from "#forges/sandbox/remote/webhook-request.ts";
import { createWebhookSender, type WebhookSender, type WebhookTarget } from "#forges/sandbox/remote/webhook-sender.ts";
import type { GiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { webhookBody } from "#gitea-like/webhook-body.ts";

export interface GiteaWebhookTarget extends Omit<WebhookTarget, "requestOf"> {
  readonly gitea: GiteaLike;
}

/** Sends what happens to a server as Gitea does, with bodies as they look there. An empty secret is none at all. */
export function sendGiteaWebhooks({ gitea, ...target }: GiteaWebhookTarget): WebhookSender {
  return createWebhookSender({ ...target, requestOf: (webhook) => requestOf({ gitea, ...target }, webhook) });
}

function requestOf({ sandbox, gitea }: GiteaWebhookTarget, { delivery, guid, secret }: WebhookToSend): SignedWebhook {
  // Laid out for people to read: the signature is that of these very bytes.
  const body = JSON.stringify(webhookBody(sandbox, gitea, delivery), null, 2);
  const sign = (algorithm: "sha1" | "sha256"): string =>
    secret === "" ? "" : createHmac(algorithm, secret).update(body).digest("hex");
  const named = (prefix: string): Readonly<Record<string, string>> => ({
    [`x-${prefix}-delivery`]: guid,
    [`x-${prefix}-event`]: delivery.event,
    [`x-${prefix}-event-type`]: giteaEventType(delivery),
  });
  const signed = (prefix: string): Readonly<Record<string, string>> => ({
    ...named(prefix),
    [`x-${prefix}-signature`]: sign("sha256"),
  });
  return {
    headers: {
      "content-type": "application/json",
      "user-agent": "Go-http-client/1.1",
      ...signed("gitea"),
      ...signed("gogs"),
      ...(gitea.version.isForgejo && signed("forgejo")),
      // GitHub's headers are sent as well, and its signatures even where there is nothing to sign with.
      ...named("github"),
      "x-hub-signature": `sha1=${sign("sha1")}`,
      "x-hub-signature-256": `sha256=${sign("sha256")}`,
    },
    body,
  };
}
