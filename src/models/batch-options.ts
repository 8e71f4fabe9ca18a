import { jsonSchemaOf } from "#models/json-schema.ts";
import type { CallOptions } from "#models/language-model.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { describeShape } from "#models/shape-prompt.ts";
import { wirePrompt } from "#models/wire-prompt.ts";
import type { BatchRequest } from "#ports/batches.ts";

/** Without cache marks: by the next stage the cache is empty, and filling it costs a quarter more. */
export function batchOptions(
  context: Pick<ModelCallContext, "fenceOf">,
  model: ModelClient,
  { messages, shape, answerTokensMax }: Pick<BatchRequest, "messages" | "shape" | "answerTokensMax">,
): CallOptions {
  const fence = context.fenceOf(messages);
  return {
    prompt: wirePrompt(messages, { fence, cacheMark: null, shapeWords: describeShape(shape) }),
    maxOutputTokens: answerTokensMax,
    ...(model.isShapeEnforced
      ? { responseFormat: { type: "json" as const, schema: jsonSchemaOf(shape), name: "answer" } }
      : {}),
    providerOptions: model.optionsOf(fence),
  };
}
