import type { ModelClient } from "#models/model-client.ts";
import type { BatchHandle } from "#ports/batches.ts";

/**
 * Whether this model's provider can be asked about a batch. The operator may have taken another model of the same provider
 * since: what was handed over is paid for, and the same key reads it.
 */
export function isSameProvider({ entry }: Pick<ModelClient, "entry">, { model }: BatchHandle): boolean {
  return model.startsWith(`${entry.provider}/`);
}
