import type { ForgeAccess } from "#app/serve/read-forge-secrets.ts";
import { mannerOf } from "#config/operator-config.ts";
import type { InstanceId } from "#core/model/ids.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";

/** What the installations know that a delivery is about. They may not be there yet. */
export interface InstallationLookup {
  /** Whether this is the account that Drover acts as on this forge, as far as is known by now. */
  isBot(instance: InstanceId, account: string): boolean;
  /** Drover may work on other repositories than before. */
  listAgain(instance: InstanceId): void;
}

/** Who may send webhooks. A forge without a webhook secret is only polled: what is not signed is not believed. */
export function webhookSources(accesses: readonly ForgeAccess[], to: InstallationLookup): readonly WebhookSource[] {
  return accesses.flatMap(({ forge, webhookSecrets }) => {
    if (webhookSecrets.length === 0) return [];
    const settings = { instance: forge.name, secrets: webhookSecrets.map((secret) => secret.reveal()) };
    const isBot = (account: string): boolean => to.isBot(forge.name, account);
    if (mannerOf(forge) === "gitea") return [createGiteaWebhook({ ...settings, isBot })];
    return [tellingOfInstallations(createGithubWebhook({ ...settings, isBot, gateName: forge.gateName }), to)];
  });
}

/** That it may work elsewhere is told with no pull in it: the list of repositories is read at once, not in some minutes. */
function tellingOfInstallations(source: WebhookSource, to: InstallationLookup): WebhookSource {
  return {
    ...source,
    read: (request) => {
      const reading = source.read(request);
      if (reading.kind === "ignored" && reading.why === "installation") to.listAgain(source.instance);
      return reading;
    },
  };
}
