import type { Instant } from "#core/model/instant.ts";
import type { ModelSettings } from "#models/model-settings.ts";
import type { OpenModel } from "#models/open-model.ts";
import type { Price } from "#models/price.ts";
import type { ModelCall, ModelMessage, ModelPurpose, ModelUsage } from "#ports/model.ts";

/** What everybody who asks a model works with. */
export interface Desk extends Pick<ModelSettings, "spans" | "clock" | "random" | "log" | "fetch" | "onCall"> {
  readonly chain: readonly OpenModel[];
  readonly priceOf: (model: OpenModel) => Price | undefined;
  readonly fenceOf: (messages: readonly ModelMessage[]) => string;
  /** Models that said when they can be asked again. Kept in this process only: another one learns it by asking. */
  readonly outUntil: Map<string, Instant>;
}

/** What one turn has spent. */
export interface Bill {
  readonly purpose: ModelPurpose;
  readonly calls: ModelCall[];
}

export function enter({ onCall }: Desk, { calls, purpose }: Bill, call: Omit<ModelCall, "purpose">): void {
  const whole = { ...call, purpose };
  calls.push(whole);
  onCall(whole);
}

export function usageOf({ calls }: Bill): ModelUsage {
  return { calls: [...calls], costMicroUsd: calls.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) };
}
