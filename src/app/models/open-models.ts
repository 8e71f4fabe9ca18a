import { readChains } from "#app/models/read-chain.ts";
import { StartError } from "#app/serve/block-secret-file.ts";
import type { PricesConfig } from "#config/model-config.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import type { Budgets } from "#core/budget/budgets.ts";
import { environmentFetch } from "#forges/bounded-fetch.ts";
import { createModel } from "#models/create-model.ts";
import { defaultModelCallLimits, type ModelSettings } from "#models/model-settings.ts";
import type { Answerer, Model } from "#ports/model.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { modelAnswerer } from "#reviewers/model/model-answerer.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";

/** The operator's models, ready to be asked. */
export interface ConfiguredModels {
  /** Plays the roles that models play; null where no model is configured. */
  readonly reviewer: Reviewer | null;
  /** Answers questions and disputes; null where no model is configured. */
  readonly talker: Answerer | null;
  /** By the name in the configuration; null names the first one. */
  modelNamed(name: string | null): Model | null;
}

export interface ModelsToOpen extends Pick<OperatorConfig, "models" | "prices" | "conversationModel"> {
  readonly budgets?: Budgets | undefined;
}

export interface ConfiguredModelsOptions extends Pick<ModelSettings, "clock" | "random" | "log" | "onCall"> {
  readonly config: ModelsToOpen;
  readonly places: SecretLookup;
  /** The way out of the process; that of the environment, unless told otherwise. */
  readonly fetch?: typeof fetch | undefined;
}

export const noModels: ConfiguredModels = { reviewer: null, talker: null, modelNamed: () => null };

/** Makes no call yet. Missing keys are a `StartError` that names every one of them. */
export async function openModels(options: ConfiguredModelsOptions): Promise<ConfiguredModels> {
  const { config, places } = options;
  const read = await readChains(config.models, places);
  if (read.kind === "missing") throw new StartError(read.problems.join("; "));
  const common = {
    prices: pricesOf(config.prices),
    allowsUnpriced: config.budgets?.allowUnpriced ?? false,
    durations: defaultModelCallLimits,
    clock: options.clock,
    random: options.random,
    log: options.log,
    fetch: options.fetch ?? environmentFetch(places.env),
    onCall: options.onCall,
  };
  const models = new Map(Array.from(read.chains, ([name, chain]) => [name, createModel({ ...common, chain })]));
  const [first] = models.keys();
  if (first === undefined) return noModels;
  const modelNamed = (name: string | null): Model | null => models.get(name ?? first) ?? null;
  const talker = modelNamed(config.conversationModel ?? null);
  return {
    reviewer: modelReviewer({
      modelOf: modelNamed,
      cheaperThan: (name) => config.models[name ?? first]?.cheaper ?? null,
    }),
    talker: talker === null ? null : modelAnswerer(talker),
    modelNamed,
  };
}

function pricesOf(prices: PricesConfig): ModelSettings["prices"] {
  return Object.fromEntries(
    Object.entries(prices).map(([name, { input, cached, cacheWrite = null, output, long }]) => [
      name,
      {
        input,
        cached,
        cacheWrite,
        output,
        long:
          long === undefined
            ? null
            : {
                tokensInMin: long.tokensInMin,
                rates: {
                  input: long.input,
                  cached: long.cached,
                  cacheWrite: long.cacheWrite ?? null,
                  output: long.output,
                },
              },
      },
    ]),
  );
}
