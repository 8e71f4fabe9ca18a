import { askedName, readAskedModel } from "#app/models/asked-model.ts";
import { type ModelsWanted, openModels } from "#app/models/open-models.ts";
import { playByModel } from "#app/models/play-by-model.ts";
import type { Reviewers } from "#app/review/look-in-roles.ts";
import { StartError } from "#app/serve/block-secret-file.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import type { SecretPlaces } from "#config/read-secret.ts";
import type { RunConfig } from "#config/run-config.ts";
import { Rules } from "#core/model/rules.ts";
import type { Log } from "#ports/log.ts";

export interface PlayersAsked {
  readonly config: RunConfig | null;
  /** `provider/model`, named by hand. Money is only spent where somebody said so: a key alone says nothing. */
  readonly model: string | undefined;
  /** Names of the roles that are asked; empty for all. */
  readonly roles: readonly string[];
  readonly places: SecretPlaces;
  /** What goes wrong on the way, such as a model that is out. */
  readonly warn: (words: string) => void;
  readonly fetch?: typeof fetch | undefined;
}

/** Who looks at a local change, and by which rules. */
export interface Players {
  readonly rules: Rules;
  readonly reviewers: Partial<Reviewers>;
  /** Why nobody plays a kind of role; where it is not said, none is configured. */
  readonly absent: Partial<Record<keyof Reviewers, string>>;
}

export async function openPlayers(asked: PlayersAsked): Promise<Players> {
  const { config, places, warn, fetch } = asked;
  const wanted = withAsked(asked);
  const models = neededModels(wanted, asked.roles);
  if (Object.keys(models).length === 0) return { rules: wanted.rules, reviewers: {}, absent: {} };
  const prices = config?.prices ?? {};
  const common = { clock: createSystemClock(), random: createSystemRandom(), log: toldLog(warn), onCall: noteNothing };
  try {
    const open = await openModels({
      ...common,
      places,
      fetch,
      config: { models, prices, conversationModel: undefined },
    });
    return { rules: wanted.rules, reviewers: { model: open.reviewer }, absent: {} };
  } catch (error) {
    // Whoever named a model wants that one. A team's configuration has to be of use without its keys as well.
    if (!(error instanceof StartError) || asked.model !== undefined) throw error;
    return { rules: wanted.rules, reviewers: {}, absent: { model: error.message } };
  }
}

interface Wanted extends Pick<ModelsWanted, "models"> {
  readonly rules: Rules;
}

function withAsked({ config, model, places }: PlayersAsked): Wanted {
  const rules = config?.rules ?? Rules.parse({});
  const models = config?.models ?? {};
  if (model === undefined) return { rules, models };
  return { rules: playByModel(rules, askedName), models: { ...models, ...readAskedModel(model, places.env) } };
}

/** Those that the roles name, and those that may stand in for them: keys of others need not be here. */
function neededModels({ rules, models }: Wanted, names: readonly string[]): ModelsWanted["models"] {
  const [first] = Object.keys(models);
  const asked = rules.reviews.roles.filter(({ name }) => names.length === 0 || names.includes(name));
  const needed = new Set<string>();
  const need = (name: string | undefined): void => {
    if (name === undefined || needed.has(name)) return;
    needed.add(name);
    need(models[name]?.cheaper);
  };
  const played = asked.filter(({ reviewer }) => reviewer === "model");
  for (const { model } of played) need(model ?? first);
  if (played.length > 0) need(rules.reviews.injectionVerifier);
  return Object.fromEntries(Object.entries(models).filter(([name]) => needed.has(name)));
}

function toldLog(warn: (words: string) => void): Log {
  const say: Log["warn"] = (facts, message) => {
    const shown = Object.entries(facts).map(([name, fact]) => `${name}: ${String(fact)}`);
    warn(shown.length === 0 ? message : `${message} (${shown.join(", ")})`);
  };
  return { info: () => undefined, warn: say, error: say };
}

function noteNothing(): void {
  // The report says what it cost.
}
