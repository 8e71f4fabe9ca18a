import type { Installations } from "#app/serve/installations.ts";
import { StartError } from "#app/start-error.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import { readSecret, type SecretLookup } from "#config/read-secret.ts";
import { errorText } from "#core/error-text.ts";
import { wakeBatchWaiter } from "#jobs/batch-waiters.ts";
import { createOpenaiWebhook } from "#models/openai-webhook.ts";
import type { BatchWebhook } from "#ports/batch-webhook.ts";
import type { BatchWebhookHandlers } from "#server/batch-webhook-route.ts";

/** Null if no secret is configured: then batches are only polled. */
export async function openBatchWebhook(
  { batchWebhooks }: Pick<OperatorConfig, "batchWebhooks">,
  places: SecretLookup,
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
    throw new StartError(errorText(error));
  }
}

export function batchEndedHandler(installations: Installations): BatchWebhookHandlers["bringForward"] {
  return async (batch) => {
    for (const { dependencies } of installations.list()) {
      if ((await wakeBatchWaiter(dependencies, batch)) === "brought_forward") return "brought_forward";
    }
    return "unknown";
  };
}
