import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForgeCallCounter, type ForgeCallCounter, forgeCostOf } from "#app/forge/forge-call-counter.ts";
import { openForge, protocolsOf } from "#app/forge/open-forge.ts";
import { withoutModelRoles } from "#app/models/assign-model-roles.ts";
import { type ConfiguredModels, type ModelsToOpen, noModels, openModels } from "#app/models/open-models.ts";
import { warnUncapped } from "#app/models/warn-uncapped.ts";
import { requireAgents } from "#app/require-agents.ts";
import { createRunDependencies } from "#app/run/run-dependencies.ts";
import { runPull } from "#app/run/run-pull.ts";
import { runSecret } from "#app/run/run-secret.ts";
import { type RunTarget } from "#app/run/run-target.ts";
import { registerEnvironmentSecrets } from "#app/secrets/environment-secrets.ts";
import { maskingFetch } from "#app/secrets/masking-fetch.ts";
import { maskingLog } from "#app/secrets/masking-log.ts";
import { createSecretRegistry, type SecretRegistry } from "#app/secrets/secret-registry.ts";
import { secretVariable } from "#app/serve/block-secret-file.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { type BlockSecret } from "#core/blocks/block-secret.ts";
import { type Budgets } from "#core/budget/budgets.ts";
import { errorText } from "#core/error-text.ts";
import { type Rules } from "#core/model/rules.ts";
import { type RunReport } from "#core/plan/run-report.ts";
import { maskStrings } from "#core/secrets/mask-strings.ts";
import { environmentFetch } from "#forges/bounded-fetch.ts";
import { revealCredentials } from "#forges/forge-credentials.ts";
import { createRealGit } from "#git/real-git.ts";
import { type Clock } from "#ports/clock.ts";
import { type Git, GitError, type Mirror } from "#ports/git.ts";
import { type Log, type LogFacts } from "#ports/log.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";

export interface StartRunOptions {
  readonly target: RunTarget;
  readonly rules: Rules;
  readonly isAnew: boolean;
  readonly timeoutMs: number;
  readonly triesMax: number;
  readonly models: ModelsToOpen;
  readonly budgets?: Budgets | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly searchPath: string;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  readonly clock?: Clock | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly warn: (line: string) => void;
  readonly debug?: ((line: string) => void) | undefined;
}

export async function startRun(asked: StartRunOptions): Promise<RunReport> {
  const { target, env } = asked;
  requireAgents(asked.rules, suggestionsAgent());
  const secrets = learnRunSecrets(asked);
  const options = { ...asked, tell: (line: string) => asked.tell(secrets.mask(line)) };
  const secret = await runSecret({ ...target, given: env[secretVariable] });
  const folder = await mkdtemp(join(env["RUNNER_TEMP"] ?? tmpdir(), "drover-run-"));
  try {
    // The outcome is shown on pages and in outputs of the job.
    return maskStrings(await work(options, { secret, secrets, folder }), secrets);
  } catch (error) {
    if (error instanceof GitError && error.kind === "unsupported")
      throw new StartError(error.message, { cause: error });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A run reads only the key of its forge; the environment holds what else is secret. */
function learnRunSecrets({ target, env, warn }: StartRunOptions): SecretRegistry {
  const secrets = createSecretRegistry({ warn: (facts, message) => warn(logLine(facts, message)) });
  registerEnvironmentSecrets(secrets, env);
  const keyName = target.key.kind === "app" ? "the App's private key" : "the forge's token";
  secrets.register({ name: keyName, value: revealCredentials(target.key) });
  secrets.register({ name: secretVariable, value: env[secretVariable] ?? "" });
  return secrets;
}

interface RunPlace {
  readonly secret: BlockSecret;
  readonly secrets: SecretRegistry;
  readonly folder: string;
}

async function work(options: StartRunOptions, { secret, secrets, folder }: RunPlace): Promise<RunReport> {
  const { target, searchPath, env, clock = createSystemClock() } = options;
  const git = await createRealGit({ folder, searchPath, protocols: protocolsOf(target.location), env });
  let lastError: string | null = null;
  const onError = (error: unknown): void => {
    lastError = errorText(error);
  };
  const log = maskingLog(runLog(options), secrets);
  const played = await openPlayers(options, { clock, log, secrets });
  const onToken = (value: string): void => secrets.registerShortLived({ name: "a token of the App", value });
  const bill = createForgeCallCounter();
  const onSpent: ForgeCallCounter["note"] = (spent) => bill.note(spent);
  const forge = openForge(target.location, target.key, { clock, secrets, onToken, onSpent });
  const made = createRunDependencies({
    ...target,
    ...options,
    ...played,
    forge,
    mayWrite: !target.isReadOnly,
    onError,
    git: reportGitErrors(git, onError),
    clock,
    secret,
    secrets,
    log,
  });
  const ending = await runPull({ ...made, ...options, ...target, lastError: () => lastError });
  return { ...ending, forgeCost: forgeCostOf(bill, forge.findRateLimit()) };
}

/** Jobs for a fork's code get no keys, and must not fail for it. */
async function openPlayers(
  { target, rules, tell, models, budgets, env, readFile, fetch: fetchAnswer = environmentFetch(env) }: StartRunOptions,
  { clock, log, secrets }: { readonly clock: Clock; readonly log: Log; readonly secrets: SecretRegistry },
): Promise<{ readonly rules: Rules; readonly models: ConfiguredModels }> {
  const random = createSystemRandom();
  const places = { env, readFile, onRead: secrets.register };
  const fetch = maskingFetch(fetchAnswer, secrets);
  const common = { places, clock, log, random, fetch, onCall: () => undefined };
  try {
    const opened = await openModels({ ...common, config: { ...models, budgets } });
    warnUncapped(log, { models: models.models, budgets });
    return { rules, models: opened };
  } catch (error) {
    if (!(error instanceof StartError) || !target.isReadOnly) throw error;
    tell(`Roles that a model plays are left out: ${error.message}.`);
    return { rules: withoutModelRoles(rules), models: noModels };
  }
}

function runLog({ target, warn, debug }: StartRunOptions): Log {
  return {
    info: (facts, message) => debug?.(logLine(facts, message)),
    warn: (facts, message) => {
      // A run that may not write is refused each time.
      if (!(target.isReadOnly && facts["kind"] === "forbidden")) warn(logLine(facts, message));
    },
    error: (facts, message) => warn(logLine(facts, message)),
  };
}

function logLine(facts: LogFacts, message: string): string {
  const shown = Object.entries(facts).flatMap(([name, fact]) => (name === "turn" ? [] : [`${name}: ${String(fact)}`]));
  return shown.length === 0 ? message : `${message} (${shown.join(", ")})`;
}

function reportGitErrors(git: Git, onError: (error: unknown) => void): Git {
  const hear = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const heardMirror = (mirror: Mirror): Mirror => ({
    ...mirror,
    fetchRefs: async (request) => await hear(async () => await mirror.fetchRefs(request)),
    push: async (request) => await hear(async () => await mirror.push(request)),
  });
  return {
    ...git,
    ensureMirror: async (request) => heardMirror(await hear(async () => await git.ensureMirror(request))),
    findMirror: async (key) => {
      const mirror = await git.findMirror(key);
      return mirror === undefined ? undefined : heardMirror(mirror);
    },
  };
}
