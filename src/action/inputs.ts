import { type RunConfig, readRunConfig } from "#app/config/run-config.ts";
import { assignRolesToModel } from "#app/models/assign-model-roles.ts";
import { defaultKeyVariables } from "#app/models/default-key-variables.ts";
import type { ModelsToOpen } from "#app/models/open-models.ts";
import { runMinutesUsual } from "#app/run/run-minutes.ts";
import { minuteMs } from "#core/model/instant.ts";
import { Rules } from "#core/model/rules.ts";

export interface ActionInputs {
  readonly token: string;
  /** Null: not given, which only a run that writes nothing can do without. */
  readonly secret: string | null;
  readonly pull: string | null;
  readonly config: RunConfig;
  /** Those of `config`, or the one that the inputs name. */
  readonly models: ModelsToOpen;
  readonly openRouterKey: string | null;
  readonly rules: Rules;
  readonly approves: boolean | null;
  readonly timeoutMs: number;
  readonly triesMax: number;
  readonly isDebug: boolean;
  readonly isAnew: boolean;
  readonly secrets: readonly string[];
  readonly unused: readonly string[];
}

export type ReadInputs =
  | { readonly kind: "read"; readonly inputs: ActionInputs }
  | { readonly kind: "wrong"; readonly problems: readonly string[]; readonly secrets: readonly string[] };

type Env = Readonly<Record<string, string | undefined>>;

export function readInputs(env: Env): ReadInputs {
  const problems: string[] = [];
  const given = (name: string): string => (env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  const reader = inputReader(given, problems);
  const config = readInline(given("config"), problems);
  const ownSecrets = [given("github_token"), given("secret"), given("openrouter_api_key")];
  const secrets = [...ownSecrets, ...modelKeys(config, env)].filter((value) => value !== "");
  const token = given("github_token");
  if (token === "") problems.push("github_token: it is empty; leave the input out to use the token of the job");
  const retries = reader.whole("max_retries", { min: 0, max: 10 });
  const timeoutMinutes = reader.whole("review_timeout_minutes", { min: 1, max: 360 }) ?? runMinutesUsual;
  const played = playedByInputs(config, given);
  const rules = readRules(played.rules, { reader, given, retries, problems });
  const approves = reader.flag("approves");
  const isDebug = reader.flag("debug_logging") ?? false;
  const isAnew = reader.flag("anew") ?? false;
  const unused = [
    ...readUnused(reader),
    ...(areModelsUsed(config, given) ? [] : modelInputs.filter((name) => given(name) !== "")),
  ];
  if (rules === null || problems.length > 0) return { kind: "wrong", problems, secrets };
  return {
    kind: "read",
    inputs: {
      token,
      secret: given("secret") === "" ? null : given("secret"),
      pull: given("pull") === "" ? null : given("pull"),
      config,
      models: played.models,
      openRouterKey: given("openrouter_api_key") === "" ? null : given("openrouter_api_key"),
      rules,
      approves,
      timeoutMs: timeoutMinutes * minuteMs,
      triesMax: (retries ?? retriesUsual) + 1,
      isDebug,
      isAnew,
      secrets,
      unused,
    },
  };
}

const retriesUsual = 2;

interface InputReader {
  readonly whole: (name: string, range: { readonly min: number; readonly max: number }) => number | null;
  readonly flag: (name: string) => boolean | null;
}

function inputReader(given: (name: string) => string, problems: string[]): InputReader {
  return {
    whole: (name, { min, max }) => {
      const text = given(name);
      if (text === "") return null;
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      problems.push(`${name}: expected a whole number from ${min} to ${max}, not "${text}"`);
      return null;
    },
    flag: (name) => {
      const text = given(name).toLowerCase();
      if (text === "") return null;
      if (text === "true" || text === "false") return text === "true";
      problems.push(`${name}: expected true or false, not "${text}"`);
      return null;
    },
  };
}

/** The text itself, never a file: a file of the checkout belongs to the pull, which must not choose its rules. */
function readInline(text: string, problems: string[]): RunConfig {
  const read = readRunConfig(text);
  if (read.kind === "read") return read.config;
  problems.push(...read.problems.map((problem) => `config: ${problem}`));
  const empty = readRunConfig("");
  if (empty.kind !== "read") throw new Error("an empty configuration is a good one");
  return empty.config;
}

/** The runner masks only the keys that it keeps itself. */
function modelKeys({ models }: RunConfig, env: Env): readonly string[] {
  const entries = Object.values(models).flatMap(({ chain }) => chain);
  const names = entries.flatMap(({ provider, key }) => {
    if (key === undefined) return defaultKeyVariables[provider];
    return "env" in key ? [key.env] : [];
  });
  // Anything shorter is no key, and masking it would hide half of the log.
  return [...new Set(names)].map((name) => env[name]?.trim() ?? "").filter((key) => key.length >= keyCharactersMin);
}

const keyCharactersMin = 8;

const inputModel = "openrouter";
const inputVerifier = "verifier";
const usualModel = "anthropic/claude-sonnet-4.5";

/** A key for OpenRouter asks for a model; a fork's job has none. Roles of the configuration choose their own models. */
function playedByInputs(config: RunConfig, given: (name: string) => string): Pick<ActionInputs, "models" | "rules"> {
  if (!areModelsUsed(config, given)) return { models: config, rules: config.rules };
  const model = given("model") === "" ? usualModel : given("model");
  const rules = assignRolesToModel(config.rules, inputModel);
  const models: RunConfig["models"] = { [inputModel]: throughOpenRouter(model) };
  const verifier = given("injection_verification_model");
  if (verifier === "") return { models: { ...config, models }, rules };
  return {
    models: { ...config, models: { ...models, [inputVerifier]: throughOpenRouter(verifier) } },
    rules: { ...rules, reviews: { ...rules.reviews, injectionVerifier: inputVerifier } },
  };
}

function throughOpenRouter(model: string): RunConfig["models"][string] {
  return { chain: [{ provider: "openrouter", model: model.replace(/^openrouter\//, "") }] };
}

function areModelsUsed({ models }: RunConfig, given: (name: string) => string): boolean {
  return given("openrouter_api_key") !== "" && Object.keys(models).length === 0;
}

interface RulesAsked {
  readonly reader: InputReader;
  readonly given: (name: string) => string;
  readonly retries: number | null;
  readonly problems: string[];
}

function readRules(base: Rules, { reader, given, retries, problems }: RulesAsked): Rules | null {
  const score = { min: 1, max: 10 };
  const problemScore = reader.whole("problem_threshold", score) ?? base.reviews.problemScore;
  const blockingScore = reader.whole("blocking_threshold", score) ?? base.reviews.blockingScore;
  const read = Rules.safeParse({
    ...base,
    handle: given("handle") === "" ? base.handle : given("handle"),
    humans: readHumans(base, { reader, given, problems }),
    reviews: {
      ...base.reviews,
      problemScore,
      blockingScore,
      attemptsMax: retries === null ? base.reviews.attemptsMax : retries + 1,
      injection: injectionOf(reader.flag("injection_detection_enabled"), base),
      tellsStart: reader.flag("enable_start_comment") ?? base.reviews.tellsStart,
      tellsEnd: reader.flag("enable_end_comment") ?? base.reviews.tellsEnd,
    },
  });
  if (read.success) return read.data;
  problems.push(...read.error.issues.map(({ path, message }) => `${inputOf(path.map(String))}: ${message}`));
  return null;
}

function injectionOf(isWanted: boolean | null, { reviews }: Rules): Rules["reviews"]["injection"] {
  if (isWanted === null) return reviews.injection;
  return isWanted ? "flag" : "off";
}

const inputsOfRules: Readonly<Record<string, string>> = {
  handle: "handle",
  humans: "human_reviewers",
  "reviews.problemScore": "problem_threshold",
  "reviews.blockingScore": "blocking_threshold",
};

function inputOf(path: readonly string[]): string {
  const name = path.join(".");
  return inputsOfRules[name] ?? `config: rules.${name}`;
}

function readHumans(base: Rules, { reader, given, problems }: Omit<RulesAsked, "retries">): readonly string[] {
  const isWanted = reader.flag("enable_human_escalation");
  if (isWanted === false) return [];
  const logins = given("human_reviewers")
    .split(/[\s,]+/)
    .map((login) => login.replace(/^@/, ""))
    .filter((login) => login !== "");
  for (const login of logins) {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(login)) {
      problems.push(`human_reviewers: "${login}" is no login; expected logins with commas between them`);
    }
  }
  const humans = logins.length === 0 ? base.humans : logins;
  if (isWanted === true && humans.length === 0) {
    problems.push("human_reviewers: name at least one login, or set enable_human_escalation to false");
  }
  return humans;
}

const modelInputs = ["model", "injection_verification_model"];

/** Checked all the same: a mistake in them must not wait until a version uses them. */
function readUnused({ flag }: InputReader): readonly string[] {
  return ["enable_web"].filter((name) => flag(name) !== null);
}
