import type { Desk } from "#models/desk.ts";
import { jsonSchemaOf } from "#models/json-schema.ts";
import type { CallOptions } from "#models/language-model.ts";
import type { OpenModel } from "#models/open-model.ts";
import { shapeWords } from "#models/told-shape.ts";
import { wirePrompt } from "#models/wire-prompt.ts";
import type { BatchRequest } from "#ports/batches.ts";

/**
 * One request as it would be asked live, but for marks of the cache: by the time that a next stage comes nothing is in it
 * any more, and filling it costs a quarter more.
 */
export function batchOptions(
  desk: Pick<Desk, "fenceOf">,
  model: OpenModel,
  { messages, shape, answerTokensMax }: Pick<BatchRequest, "messages" | "shape" | "answerTokensMax">,
): CallOptions {
  const fence = desk.fenceOf(messages);
  return {
    prompt: wirePrompt(messages, { fence, cacheMark: null, shapeWords: shapeWords(shape) }),
    maxOutputTokens: answerTokensMax,
    ...(model.isShapeEnforced
      ? { responseFormat: { type: "json" as const, schema: jsonSchemaOf(shape), name: "answer" } }
      : {}),
    providerOptions: model.optionsOf(fence),
  };
}
