import { descriptorOf } from "#app/forge/forge-table.ts";
import type { ForgeAccess } from "#app/serve/read-forge-secrets.ts";
import { mannerOf } from "#config/forge-config.ts";
import type { InstanceId } from "#core/model/ids.ts";
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
    const source = descriptorOf(mannerOf(forge)).createWebhook?.({
      instance: forge.name,
      secrets: webhookSecrets.map((secret) => secret.reveal()),
      isBot: (account) => to.isBot(forge.name, account),
      gateName: forge.gateName,
    });
    return source === undefined ? [] : [tellingOfInstallations(source, to)];
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
