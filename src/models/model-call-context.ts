import type { Instant } from "#core/model/instant.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { ModelSettings } from "#models/model-settings.ts";
import type { Price } from "#models/price.ts";
import type { ModelCall, ModelMessage, ModelPurpose, ModelTurn, ModelUsage } from "#ports/model.ts";

/** What everybody who asks a model works with. */
export interface ModelCallContext
  extends Pick<ModelSettings, "durations" | "clock" | "random" | "log" | "fetch" | "onCall"> {
  readonly chain: readonly ModelClient[];
  /** By the name of a model of the chain, or of one that was in its place before: `provider/model`. */
  readonly priceOf: (name: string) => Price | undefined;
  readonly fenceOf: (messages: readonly ModelMessage[]) => string;
  /** Models that said when they can be asked again. Kept in this process only: another one learns it by asking. */
  readonly outUntil: Map<string, Instant>;
}

/** What one turn has spent. */
export interface TurnUsage {
  readonly purpose: ModelPurpose;
  readonly calls: ModelCall[];
  /** The caller's signal, beside the operator's. */
  readonly onCall?: ModelTurn<unknown>["onCall"];
}

export function recordCall({ onCall }: ModelCallContext, bill: TurnUsage, call: Omit<ModelCall, "purpose">): void {
  const whole = { ...call, purpose: bill.purpose };
  bill.calls.push(whole);
  bill.onCall?.(whole);
  onCall(whole);
}

export function usageOf({ calls }: TurnUsage): ModelUsage {
  return { calls: [...calls], costMicroUsd: calls.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) };
}
