import type { ModelCallCounter } from "#app/models/model-call-counter.ts";
import { openModels } from "#app/models/open-models.ts";
import { warnUncapped } from "#app/models/warn-uncapped.ts";
import { requireAgents } from "#app/require-agents.ts";
import { maskingFetch } from "#app/secrets/masking-fetch.ts";
import { openBatchWebhook } from "#app/serve/batch-webhooks.ts";
import type { OpenedConfig } from "#app/serve/installations.ts";
import { readForgeSecrets } from "#app/serve/read-forge-secrets.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import { environmentFetch } from "#forges/bounded-fetch.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";

export interface OpenConfigOptions {
  readonly places: SecretLookup;
  readonly clock: Clock;
  readonly log: Log;
  readonly bill: ModelCallCounter;
  readonly secrets: SecretMasker;
}

export interface OpenedServerConfig extends OpenedConfig {
  readonly batchWebhook: BatchWebhook | null;
}

/** Throws before anything has begun. */
export async function openConfig(
  config: OperatorConfig,
  { bill, secrets, ...place }: OpenConfigOptions,
): Promise<OpenedServerConfig> {
  requireModels(config);
  requireAgents(config.rules, suggestionsAgent());
  const accesses = await readForgeSecrets(config, place.places);
  const onCall: ModelCallCounter["note"] = (call) => bill.note(call);
  const fetch = maskingFetch(environmentFetch(place.places.env), secrets);
  const models = await openModels({ ...place, config, random: createSystemRandom(), onCall, fetch });
  const batchWebhook = await openBatchWebhook(config, place.places);
  warnUncapped(place.log, config);
  return { config, accesses, models, batchWebhook };
}

/** Every review of such a server would fail, on every pull. */
function requireModels({ rules, models }: Pick<OperatorConfig, "rules" | "models">): void {
  if (Object.keys(models).length > 0) return;
  const role = rules.reviews.roles.find(({ reviewer }) => reviewer === "model");
  if (role === undefined) return;
  throw new StartError(
    `the role "${role.name}" is to be played by a model, and the configuration has none. Write one into it, such as ` +
      "`models: { main: { chain: [{ provider: anthropic, model: claude-sonnet-4-5 }] } }`, with its key in the " +
      "environment variable ANTHROPIC_API_KEY (docs/operating/models.md); or set the role's reviewer to `rules`.",
  );
}
