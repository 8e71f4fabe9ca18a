import { type RunConfig, readRunConfig } from "#config/run-config.ts";
import { minuteMs } from "#core/model/instant.ts";
import { Rules } from "#core/model/rules.ts";

/** What the workflow asks for, as far as this version can do it. */
export interface ActionInputs {
  readonly token: string;
  /** Null: not given, which only a run that writes nothing can do without. */
  readonly secret: string | null;
  readonly pull: string | null;
  readonly config: RunConfig;
  readonly rules: Rules;
  readonly timeoutMs: number;
  readonly triesMax: number;
  /** Everything is told that an operator of a server would find in the log. */
  readonly isDebug: boolean;
  /** Everything that must not be seen in a log. */
  readonly secrets: readonly string[];
  /** Inputs that were given and that nothing uses yet. */
  readonly unused: readonly string[];
}

export type ReadInputs =
  | { readonly kind: "read"; readonly inputs: ActionInputs }
  /** Each says which input, and what to do. */
  | { readonly kind: "wrong"; readonly problems: readonly string[]; readonly secrets: readonly string[] };

type Env = Readonly<Record<string, string | undefined>>;

/** The runner hands inputs over as variables. One that is empty was not given. */
export function readInputs(env: Env): ReadInputs {
  const problems: string[] = [];
  const given = (name: string): string => (env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  const reader = inputReader(given, problems);
  const secrets = [given("github_token"), given("secret"), given("openrouter_api_key")].filter((value) => value !== "");
  const config = readInline(given("config"), problems);
  const token = given("github_token");
  if (token === "") problems.push("github_token: it is empty; leave the input out to use the token of the job");
  const retries = reader.whole("max_retries", { min: 0, max: 10 });
  const timeoutMinutes = reader.whole("review_timeout_minutes", { min: 1, max: 360 }) ?? timeoutMinutesUsual;
  const rules = readRules(config.rules, { reader, given, retries, problems });
  const isDebug = reader.flag("debug_logging") ?? false;
  const unused = readUnused(reader, given);
  if (rules === null || problems.length > 0) return { kind: "wrong", problems, secrets };
  return {
    kind: "read",
    inputs: {
      token,
      secret: given("secret") === "" ? null : given("secret"),
      pull: given("pull") === "" ? null : given("pull"),
      config,
      rules,
      timeoutMs: timeoutMinutes * minuteMs,
      triesMax: (retries ?? retriesUsual) + 1,
      isDebug,
      secrets,
      unused,
    },
  };
}

const timeoutMinutesUsual = 30;
const retriesUsual = 2;

interface InputReader {
  readonly whole: (name: string, range: { readonly min: number; readonly max: number }) => number | null;
  readonly flag: (name: string) => boolean | null;
}

/** Null where nothing, or nothing usable, was given. */
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

/** The text itself, never a file: a file of the checkout is the pull's own, and a pull must not choose its rules. */
function readInline(text: string, problems: string[]): RunConfig {
  const read = readRunConfig(text);
  if (read.kind === "read") return read.config;
  problems.push(...read.problems.map((problem) => `config: ${problem}`));
  const empty = readRunConfig("");
  if (empty.kind !== "read") throw new Error("an empty configuration is a good one");
  return empty.config;
}

interface RulesAsked {
  readonly reader: InputReader;
  readonly given: (name: string) => string;
  readonly retries: number | null;
  readonly problems: string[];
}

/** The inputs that were given change the rules of `config`, and the whole is read against the one schema. */
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
      tellsStart: reader.flag("enable_start_comment") ?? base.reviews.tellsStart,
      tellsEnd: reader.flag("enable_end_comment") ?? base.reviews.tellsEnd,
    },
  });
  if (read.success) return read.data;
  problems.push(...read.error.issues.map(({ path, message }) => `${inputOf(path.map(String))}: ${message}`));
  return null;
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

/** They are checked all the same: a mistake in them must not wait until somebody can use them. */
function readUnused({ flag }: InputReader, given: (name: string) => string): readonly string[] {
  const flags = ["enable_web", "injection_detection_enabled"].filter((name) => flag(name) !== null);
  const texts = ["openrouter_api_key", "model", "injection_verification_model"].filter((name) => given(name) !== "");
  return [...texts, ...flags];
}
