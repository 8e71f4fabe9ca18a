import type { Instant } from "#core/model/instant.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { ModelSettings } from "#models/model-settings.ts";
import type { Price } from "#models/price.ts";
import type { ModelCall, ModelMessage, ModelPurpose, ModelTurn, ModelUsage } from "#ports/model.ts";

export interface ModelCallContext
  extends Pick<ModelSettings, "durations" | "clock" | "random" | "log" | "fetch" | "onCall"> {
  readonly chain: readonly ModelClient[];
  /** `provider/model`, of the chain or one that was in its place before. */
  readonly priceOf: (name: string) => Price | undefined;
  readonly fenceOf: (messages: readonly ModelMessage[]) => string;
  /** When models may be asked again. Of this process only: another one learns it by asking. */
  readonly outUntil: Map<string, Instant>;
}

export interface TurnUsage {
  readonly purpose: ModelPurpose;
  readonly calls: ModelCall[];
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
