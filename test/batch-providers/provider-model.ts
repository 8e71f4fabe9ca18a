import { createModel } from "#models/create-model.ts";
import { defaultModelCallLimits } from "#models/model-settings.ts";
import type { Clock } from "#ports/clock.ts";
import type { Model } from "#ports/model.ts";
import { silentLog } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { type BatchProvider, type ProviderManner, providerAddress, providerKey } from "./batch-provider.ts";

const names = { openai: "gpt-5-mini", anthropic: "claude-sonnet-4-5" } as const;

/** What each answered request costs there: 1000 tokens in and 100 out, at half the price. */
const prices = { input: 2, cached: 2, cacheWrite: null, output: 10, long: null } as const;
export const requestMicroUsd = (1000 * prices.input + 100 * prices.output) / 2;

/** The production client of a provider of this manner. */
export function modelAt({
  provider,
  manner,
  clock,
  seed = 1,
}: {
  readonly provider: Pick<BatchProvider, "fetch">;
  readonly manner: ProviderManner;
  readonly clock: Clock;
  readonly seed?: number;
}): Model {
  const model = names[manner];
  return createModel({
    chain: [
      {
        provider: manner,
        model,
        baseUrl: providerAddress,
        key: { reveal: () => providerKey },
        keyName: "PROVIDER_KEY",
        shapes: null,
      },
    ],
    prices: { [model]: prices },
    durations: { ...defaultModelCallLimits, pauseMs: 10 },
    clock,
    random: createSeededRandom(seed),
    log: silentLog,
    fetch: provider.fetch,
    onCall: () => undefined,
  });
}
