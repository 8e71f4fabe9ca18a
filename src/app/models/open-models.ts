import { defaultKeyVariables } from "#app/models/default-key-variables.ts";
import { StartError } from "#app/start-error.ts";
import {
  type ConfiguredChainEntry as ConfiguredEntry,
  type ModelsConfig,
  type PricesConfig,
} from "#config/model-config.ts";
import { type OperatorConfig } from "#config/operator-config.ts";
import { readSecret, type SecretLookup } from "#config/read-secret.ts";
import { makeSecret } from "#config/secret.ts";
import { type Budgets } from "#core/budget/budgets.ts";
import { environmentFetch } from "#forges/bounded-fetch.ts";
import { createModel } from "#models/create-model.ts";
import { type ChainEntry, defaultModelCallLimits, type ModelSettings } from "#models/model-settings.ts";
import { type Answerer, type Model } from "#ports/model.ts";
import { type Reviewer } from "#ports/reviewer.ts";
import { modelAnswerer } from "#reviewers/model/model-answerer.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";

export interface ConfiguredModels {
  /** Null: no model is configured. */
  readonly reviewer: Reviewer | null;
  /** Null: no model is configured. */
  readonly talker: Answerer | null;
  modelNamed(name: string | null): Model | null;
}

export interface ModelsToOpen extends Pick<OperatorConfig, "models" | "prices" | "conversationModel"> {
  readonly budgets?: Budgets | undefined;
}

export interface ConfiguredModelsOptions extends Pick<ModelSettings, "clock" | "random" | "log" | "onCall"> {
  readonly config: ModelsToOpen;
  readonly places: SecretLookup;
  readonly fetch?: typeof fetch | undefined;
}

export const noModels: ConfiguredModels = { reviewer: null, talker: null, modelNamed: () => null };

/** Makes no call. A `StartError` names every missing key. */
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

type ReadChains =
  | { readonly kind: "read"; readonly chains: ReadonlyMap<string, readonly ChainEntry[]> }
  | { readonly kind: "missing"; readonly problems: readonly string[] };

async function readChains(models: ModelsConfig, places: SecretLookup): Promise<ReadChains> {
  const problems: string[] = [];
  const chains = new Map<string, readonly ChainEntry[]>();
  for (const [name, { chain }] of Object.entries(models)) {
    const read: ChainEntry[] = [];
    for (const entry of chain) {
      const found = await readEntry(entry, places);
      if (typeof found === "string") problems.push(`the model "${name}" (${entry.provider}/${entry.model}): ${found}`);
      else read.push(found);
    }
    chains.set(name, read);
  }
  return problems.length > 0 ? { kind: "missing", problems } : { kind: "read", chains };
}

async function readEntry(entry: ConfiguredEntry, places: SecretLookup): Promise<ChainEntry | string> {
  const { provider, model, baseUrl = null, shapes = null, tools, contextTokens } = entry;
  const common = { provider, model, baseUrl, shapes, tools, contextTokens };
  if (entry.key !== undefined) {
    const read = await readSecret(entry.key, places);
    const keyName = "env" in entry.key ? entry.key.env : entry.key.file;
    return read.kind === "read" ? withKey(common, { value: read.secret.reveal(), keyName }) : read.why;
  }
  const names = defaultKeyVariables[provider];
  const keyName = names.find((name) => (places.env[name] ?? "") !== "");
  if (keyName !== undefined) {
    const value = places.env[keyName] ?? "";
    places.onRead?.({ name: keyName, value });
    return withKey(common, { value, keyName });
  }
  if (provider === "compatible") return { ...common, key: null, keyName: "" };
  return `the environment variable ${names.join(" or ")} is not set; it holds the key, unless \`key\` says where that is`;
}

/** `fetch` quotes an invalid header in its error, which would show the key. */
function withKey(
  entry: Omit<ChainEntry, "key" | "keyName">,
  { value, keyName }: { readonly value: string; readonly keyName: string },
): ChainEntry | string {
  const key = value.trim();
  if (/^[\u0021-\u007e]+$/.test(key)) return { ...entry, key: makeSecret(key), keyName };
  return `the value of ${keyName} is not a key: it has spaces, line breaks or other characters that no key has`;
}
