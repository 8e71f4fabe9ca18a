import { never } from "#core/never.ts";
import { anthropicBatches } from "#models/anthropic-batches.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { openaiBatches } from "#models/openai-batches.ts";
import type { Batches } from "#ports/batches.ts";

/** Undefined for a provider that takes none, or takes them in a manner of its own. */
export function createBatches(context: ModelCallContext, model: ModelClient): Batches | undefined {
  switch (model.entry.provider) {
    case "openai":
      return openaiBatches(context, model);
    case "anthropic":
      return anthropicBatches(context, model);
    case "google":
    case "openrouter":
    case "compatible":
      return undefined;
    default:
      return never(model.entry.provider);
  }
}
