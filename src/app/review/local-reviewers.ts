import type { RunConfig } from "#app/config/run-config.ts";
import { assignRolesToModel } from "#app/models/assign-model-roles.ts";
import { defaultKeyVariables } from "#app/models/default-key-variables.ts";
import { type ConfiguredModels, type ModelsToOpen, openModels } from "#app/models/open-models.ts";
import type { Reviewers } from "#app/review/run-roles.ts";
import { terminalLog } from "#app/review/terminal-log.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { ModelsConfig } from "#config/model-config.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import { Rules } from "#core/model/rules.ts";
import { unpricedRunWords } from "#core/words/budget-words.ts";

export interface LocalReviewersOptions {
  readonly config: RunConfig | null;
  /** `provider/model`. A key alone allows no spending: the model has to be named. */
  readonly model: string | undefined;
  /** Empty: all roles. */
  readonly roles: readonly string[];
  readonly isCapped: boolean;
  readonly places: SecretLookup;
  readonly warn: (words: string) => void;
  readonly tell: (words: string) => void;
  readonly fetch?: typeof fetch | undefined;
}

export interface LocalReviewers {
  readonly rules: Rules;
  readonly reviewers: Partial<Reviewers>;
  /** Why a kind of role has no reviewer. Without a reason none is configured. */
  readonly absent: Partial<Record<keyof Reviewers, string>>;
}

export async function openLocalReviewers(asked: LocalReviewersOptions): Promise<LocalReviewers> {
  const { config, places, warn, tell, fetch } = asked;
  const wanted = withAsked(asked);
  const models = neededModels(wanted, asked.roles);
  if (Object.keys(models).length === 0) return { rules: wanted.rules, reviewers: {}, absent: {} };
  const prices = config?.prices ?? {};
  const log = terminalLog({ warn, tell });
  const common = { clock: createSystemClock(), random: createSystemRandom(), log, onCall: () => undefined };
  let open: ConfiguredModels;
  try {
    open = await openModels({ ...common, places, fetch, config: { models, prices, conversationModel: undefined } });
  } catch (error) {
    // A model named on the command line must work. A team's configuration has to be useful without its keys.
    if (!(error instanceof StartError) || asked.model !== undefined) throw error;
    return { rules: wanted.rules, reviewers: {}, absent: { model: error.message } };
  }
  if (asked.isCapped) requirePrices(wanted, asked.roles, open);
  return { rules: wanted.rules, reviewers: { model: open.reviewer }, absent: {} };
}

/** Checked first: without a price a role stops, and what other roles cost by then is spent. */
function requirePrices({ rules }: Wanted, names: readonly string[], open: ConfiguredModels): void {
  const unpriced = playedByModel(rules, names).find(({ model }) => {
    return (open.modelNamed(model ?? null)?.estimate?.({ fresh: 1, cached: 0, out: 1 }, "now") ?? null) === null;
  });
  if (unpriced !== undefined) throw new StartError(unpricedRunWords(unpriced.name));
}

function playedByModel({ reviews }: Rules, names: readonly string[]): Rules["reviews"]["roles"] {
  const asked = reviews.roles.filter(({ name }) => names.length === 0 || names.includes(name));
  return asked.filter(({ reviewer }) => reviewer === "model");
}

interface Wanted extends Pick<ModelsToOpen, "models"> {
  readonly rules: Rules;
}

function withAsked({ config, model, places }: LocalReviewersOptions): Wanted {
  const rules = config?.rules ?? Rules.parse({});
  const models = config?.models ?? {};
  if (model === undefined) return { rules, models };
  return {
    rules: assignRolesToModel(rules, modelOptionName),
    models: { ...models, ...readModelOption(model, places.env) },
  };
}

/** Keys of models that no role needs may be missing. */
function neededModels({ rules, models }: Wanted, names: readonly string[]): ModelsToOpen["models"] {
  const [first] = Object.keys(models);
  const needed = new Set<string>();
  const need = (name: string | undefined): void => {
    if (name === undefined || needed.has(name)) return;
    needed.add(name);
    need(models[name]?.cheaper);
  };
  const played = playedByModel(rules, names);
  for (const { model } of played) need(model ?? first);
  if (played.length > 0) need(rules.reviews.injectionVerifier);
  return Object.fromEntries(Object.entries(models).filter(([name]) => needed.has(name)));
}

/** No configuration can have a model of this name. */
const modelOptionName = "--model";

/** `openrouter/qwen/qwen3-coder`: the part before the first slash is the provider. */
function readModelOption(text: string, env: SecretLookup["env"]): ModelsConfig {
  const border = text.indexOf("/");
  const [provider, model] = [text.slice(0, Math.max(0, border)), text.slice(border + 1)];
  if (provider === "compatible") {
    throw new StartError(
      "--model compatible/… needs the server's URL. Set `baseUrl` in a configuration and pass it with --config FILE.",
    );
  }
  const known = providers.find((one) => one === provider);
  if (known === undefined || !/^\S{1,200}$/.test(model)) {
    const all = providers.join(", ");
    throw new StartError(`--model ${text}: expected PROVIDER/MODEL, where the provider is one of ${all}.`);
  }
  const names = defaultKeyVariables[known];
  if (names.every((name) => (env[name] ?? "") === "")) {
    throw new StartError(`--model ${text}: ${names.join(" or ")} is not set, which holds its key.`);
  }
  return { [modelOptionName]: { chain: [{ provider: known, model }] } };
}

const providers = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
] as const satisfies readonly (keyof typeof defaultKeyVariables)[];
