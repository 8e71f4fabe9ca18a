import { StartError } from "#app/serve/block-secret-file.ts";
import type { Fleet } from "#app/serve/fleet.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import { readSecret, type SecretPlaces } from "#config/read-secret.ts";
import { bringForward } from "#jobs/batch-waiting.ts";
import { createOpenaiWebhook } from "#models/openai-webhook.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { BatchDoor } from "#server/batch-webhook-route.ts";

/** Null where nobody configured a secret: then batches are only asked after. */
export async function openBatchWebhook(
  { batchWebhooks }: Pick<OperatorConfig, "batchWebhooks">,
  places: SecretPlaces,
): Promise<BatchWebhook | null> {
  const secrets: string[] = [];
  for (const source of batchWebhooks.openai) {
    const found = await readSecret(source, places);
    if (found.kind !== "read") throw new StartError(`a webhook secret of OpenAI: ${found.why}`);
    secrets.push(found.secret.reveal());
  }
  if (secrets.length === 0) return null;
  try {
    return createOpenaiWebhook(secrets);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : "a webhook secret of OpenAI is unusable");
  }
}

/** One of the installations waits for it, or nobody here does. */
export function bringForwardIn(fleet: () => Fleet | null): BatchDoor["bringForward"] {
  return async (batch) => {
    const open = fleet();
    if (open === null) return "busy";
    for (const { parts } of open.list()) {
      if ((await bringForward(parts, batch)) === "brought_forward") return "brought_forward";
    }
    return "unknown";
  };
}
