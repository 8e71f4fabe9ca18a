import type { RunConfig } from "#app/config/run-config.ts";
import { assignRolesToModel } from "#app/models/assign-model-roles.ts";
import { modelOptionName, readModelOption } from "#app/models/model-option.ts";
import { type ConfiguredModels, type ModelsToOpen, openModels } from "#app/models/open-models.ts";
import type { Reviewers } from "#app/review/run-roles.ts";
import { terminalLog } from "#app/review/terminal-log.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import { Rules } from "#core/model/rules.ts";
import { unpricedRunWords } from "#core/words/budget-words.ts";

export interface LocalReviewersOptions {
  readonly config: RunConfig | null;
  /** `provider/model`, named by hand. Money is only spent where somebody said so: a key alone says nothing. */
  readonly model: string | undefined;
  /** Names of the roles that are asked; empty for all. */
  readonly roles: readonly string[];
  /** Whether there is a `--budget`. */
  readonly isCapped: boolean;
  readonly places: SecretLookup;
  /** What goes wrong on the way, such as a model that is out. */
  readonly warn: (words: string) => void;
  /** What is waited for, at the moment. */
  readonly tell: (words: string) => void;
  readonly fetch?: typeof fetch | undefined;
}

/** Who looks at a local change, and by which rules. */
export interface LocalReviewers {
  readonly rules: Rules;
  readonly reviewers: Partial<Reviewers>;
  /** Why a kind of role has no reviewer; if no reason is given, none is configured. */
  readonly absent: Partial<Record<keyof Reviewers, string>>;
}

export async function openLocalReviewers(asked: LocalReviewersOptions): Promise<LocalReviewers> {
  const { config, places, warn, tell, fetch } = asked;
  const wanted = withAsked(asked);
  const models = neededModels(wanted, asked.roles);
  if (Object.keys(models).length === 0) return { rules: wanted.rules, reviewers: {}, absent: {} };
  const prices = config?.prices ?? {};
  const log = terminalLog({ warn, tell });
  const common = { clock: createSystemClock(), random: createSystemRandom(), log, onCall: noteNothing };
  let open: ConfiguredModels;
  try {
    open = await openModels({
      ...common,
      places,
      fetch,
      config: { models, prices, conversationModel: undefined },
    });
  } catch (error) {
    // A model that was named on the command line must be available. The configuration of a team has to be useful
    // without its keys as well.
    if (!(error instanceof StartError) || asked.model !== undefined) throw error;
    return { rules: wanted.rules, reviewers: {}, absent: { model: error.message } };
  }
  if (asked.isCapped) requirePrices(wanted, asked.roles, open);
  return { rules: wanted.rules, reviewers: { model: open.reviewer }, absent: {} };
}

/** Before anybody is asked: a role that cannot be paid for reads nothing, and what others have cost by then is spent. */
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

/** Those that the roles name, and those that may stand in for them: keys of others need not be here. */
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

function noteNothing(): void {
  // The report says what it cost.
}
