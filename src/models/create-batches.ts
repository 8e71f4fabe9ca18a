import { never } from "#core/never.ts";
import { anthropicBatchApi } from "#models/anthropic-batches.ts";
import { createBatchClient } from "#models/batch-client.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { openaiBatchApi } from "#models/openai-batches.ts";
import type { Batches } from "#ports/batches.ts";

/** Undefined for a provider that takes none, or takes them in a manner of its own. */
export function createBatches(context: ModelCallContext, model: ModelClient): Batches | undefined {
  switch (model.entry.provider) {
    case "openai":
      return createBatchClient(context, model, openaiBatchApi);
    case "anthropic":
      return createBatchClient(context, model, anthropicBatchApi);
    case "google":
    case "openrouter":
    case "compatible":
      return undefined;
    default:
      return never(model.entry.provider);
  }
}
