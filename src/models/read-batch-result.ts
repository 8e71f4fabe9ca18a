import type { Shape } from "#core/model/shape.ts";
import { batchOptions } from "#models/batch-options.ts";
import type { WireUsage } from "#models/language-model.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { costOf, readTokens } from "#models/price.ts";
import { readAnswer } from "#models/read-answer.ts";
import { readFailure } from "#models/read-failure.ts";
import { readWireAnswer, type WireAnswer } from "#models/wire-body.ts";
import type { BatchAnswer, BatchCall, BatchHandle } from "#ports/batches.ts";
import type { CallOutcome } from "#ports/model.ts";

export interface ResultReader {
  readonly context: ModelCallContext;
  readonly model: ModelClient;
  readonly handle: BatchHandle;
  readonly shape: Shape;
}

export async function readResult(reader: ResultReader, id: string, wire: WireAnswer): Promise<BatchAnswer> {
  const { context, model, shape } = reader;
  const options = batchOptions(context, model, { messages: [], shape, answerTokensMax: 1 });
  try {
    const { text, finish, usage } = await readWireAnswer(model, options, wire);
    const reading = readAnswer(shape, { text, finish }, { mayBeCut: false });
    if (reading.kind === "wrong") {
      const { outcome, why } = reading;
      return { id, kind: "unreadable", why, call: callOf(reader, id, { outcome, usage }) };
    }
    const call = callOf(reader, id, { outcome: "answered", usage });
    return { id, kind: "answered", value: reading.value, text, call };
  } catch (error) {
    const { outcome } = readFailure(error, model, context.clock.now());
    // What the package cannot read is billed, unless the provider itself says that it failed.
    const isBilled = wire.status < 400;
    return { id, kind: "unanswered", why: "failed", call: callOf(reader, id, { outcome, isBilled }) };
  }
}

export function unansweredBatchItem(
  reader: ResultReader,
  id: string,
  why: "failed" | "expired" | "cancelled",
): BatchAnswer {
  const outcome = why === "expired" ? "timed_out" : why === "cancelled" ? "aborted" : "unavailable";
  return { id, kind: "unanswered", why, call: callOf(reader, id, { outcome }) };
}

/** Both providers take half for input and output alike. */
const batchShare = 0.5;

interface Ending {
  readonly outcome: CallOutcome;
  readonly usage?: WireUsage;
  readonly isBilled?: boolean;
}

function callOf(
  { context, handle }: ResultReader,
  id: string,
  { outcome, usage, isBilled = usage !== undefined }: Ending,
): BatchCall {
  const tokens = usage === undefined ? undefined : readTokens(usage);
  const price = context.priceOf(handle.model);
  const whole = tokens === undefined || price === undefined ? null : costOf(tokens, price);
  // Without an answer nothing is billed; with one and without a count the price is unknown.
  return {
    id: `${handle.id}/${id}`,
    delivery: "batch",
    model: handle.model,
    tokensIn: tokens?.input ?? 0,
    tokensCached: tokens?.cached ?? 0,
    tokensOut: tokens?.output ?? 0,
    costMicroUsd: whole === null ? 0 : Math.ceil(whole * batchShare),
    isPriced: !isBilled || whole !== null,
    ms: 0,
    outcome,
  };
}
