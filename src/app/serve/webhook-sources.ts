import type { ForgeAccess } from "#app/serve/read-secrets.ts";
import { mannerOf } from "#config/operator-config.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";

/** Who may send webhooks. A forge without a webhook secret is only polled: what is not signed is not believed. */
export function webhookSources(accesses: readonly ForgeAccess[]): readonly WebhookSource[] {
  return accesses.flatMap(({ forge, webhookSecrets }) => {
    if (webhookSecrets.length === 0) return [];
    const settings = { instance: forge.name, secrets: webhookSecrets.map((secret) => secret.reveal()) };
    return [mannerOf(forge) === "github" ? createGithubWebhook(settings) : createGiteaWebhook(settings)];
  });
}
