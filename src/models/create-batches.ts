import { never } from "#core/never.ts";
import { anthropicBatches } from "#models/anthropic-batches.ts";
import type { Desk } from "#models/desk.ts";
import type { OpenModel } from "#models/open-model.ts";
import { openaiBatches } from "#models/openai-batches.ts";
import type { Batches } from "#ports/batches.ts";

/** Undefined for a provider that takes none, or takes them in a manner of its own. */
export function createBatches(desk: Desk, model: OpenModel): Batches | undefined {
  switch (model.entry.provider) {
    case "openai":
      return openaiBatches(desk, model);
    case "anthropic":
      return anthropicBatches(desk, model);
    case "google":
    case "openrouter":
    case "compatible":
      return undefined;
    default:
      return never(model.entry.provider);
  }
}
