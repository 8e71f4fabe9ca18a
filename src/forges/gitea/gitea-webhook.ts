import type { InstanceId } from "#core/model/ids.ts";
import { giteaEventReader } from "#forges/gitea/gitea-webhook-events.ts";
import { type Envelope, headerOf, readWebhook } from "#forges/read-webhook.ts";
import { signingKeys } from "#forges/signature.ts";
import type { WebhookRequest, WebhookSource } from "#ports/webhook-source.ts";

/** Deliveries of Gitea and Forgejo. Throws where there is no secret to check them with. */
export function createGiteaWebhook(settings: {
  readonly instance: InstanceId;
  /** All that a delivery may be signed with: two while one is being replaced by the other. */
  readonly secrets: readonly string[];
}): WebhookSource {
  const keys = signingKeys(settings.secrets);
  return {
    manner: "gitea",
    instance: settings.instance,
    read: (request) => readWebhook({ request, envelope: envelopeOf(request), keys, readerOf: giteaEventReader }),
  };
}

/** Bare hex, and empty where the hook has no secret. The finer `x-gitea-event-type` has two meanings for some words. */
function envelopeOf(request: WebhookRequest): Envelope {
  return {
    signature: headerOf(request, "x-gitea-signature"),
    event: headerOf(request, "x-gitea-event"),
    delivery: headerOf(request, "x-gitea-delivery"),
    isForeign: false,
  };
}
