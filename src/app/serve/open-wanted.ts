import type { ModelBill } from "#app/models/model-bill.ts";
import { openModels } from "#app/models/open-models.ts";
import { requireModels } from "#app/models/require-models.ts";
import { warnUncapped } from "#app/models/warn-uncapped.ts";
import { requireAgents } from "#app/require-agents.ts";
import { guardedFetch } from "#app/secrets/guarded-fetch.ts";
import { openBatchWebhook } from "#app/serve/batch-door.ts";
import type { Wanted } from "#app/serve/fleet.ts";
import { readSecrets } from "#app/serve/read-secrets.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import type { SecretPlaces } from "#config/read-secret.ts";
import type { KnownSecrets } from "#core/secrets/known-secrets.ts";
import { environmentFetch } from "#forges/bounded-fetch.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";

export interface WantedPlace {
  readonly places: SecretPlaces;
  readonly clock: Clock;
  readonly log: Log;
  readonly bill: ModelBill;
  /** What models are not told. */
  readonly secrets: KnownSecrets;
}

export interface OpenWanted extends Wanted {
  readonly batchWebhook: BatchWebhook | null;
}

/** Everything that a configuration names and that can be missing; throws before anything was begun. */
export async function openWanted(
  config: OperatorConfig,
  { bill, secrets, ...place }: WantedPlace,
): Promise<OpenWanted> {
  requireModels(config);
  requireAgents(config.rules, suggestionsAgent());
  const accesses = await readSecrets(config, place.places);
  const onCall: ModelBill["note"] = (call) => bill.note(call);
  const fetch = guardedFetch(environmentFetch(place.places.env), secrets);
  const models = await openModels({ ...place, config, random: createSystemRandom(), onCall, fetch });
  const batchWebhook = await openBatchWebhook(config, place.places);
  warnUncapped(place.log, config);
  return { config, accesses, models, batchWebhook };
}
