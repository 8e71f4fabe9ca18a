import { createForgeCallCounter, type ForgeCallCounter } from "#app/forge/forge-call-counter.ts";
import { codeOwnersFolders, descriptorOf, settingsOf } from "#app/forge/forge-table.ts";
import { forgeLocationOf, openForge, protocolsOf, pullPage } from "#app/forge/open-forge.ts";
import { restrictGit } from "#app/forge/restricted-git.ts";
import { logNotifier } from "#app/log-notifier.ts";
import type { ConfiguredModels } from "#app/models/open-models.ts";
import { maskingDependencies } from "#app/secrets/masking-dependencies.ts";
import type { SecretRegistry } from "#app/secrets/secret-registry.ts";
import type { DatabaseHealth } from "#app/serve/database-health.ts";
import { createForgeReach, type ForgeReach } from "#app/serve/forge-reach.ts";
import { logTick } from "#app/serve/log-tick.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { version } from "#app/version.ts";
import type { ForgeConfig } from "#config/forge-config.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import { readRepositoryFile } from "#config/read-repository-file.ts";
import type { BlockSecret } from "#core/blocks/block-mac.ts";
import { errorText } from "#core/error-text.ts";
import type { Account } from "#core/model/account.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Database } from "#database/database.ts";
import { type ForgeCredentials, throttleScopeOf } from "#forges/forge-credentials.ts";
import type { RepositoryList } from "#forges/forge-descriptor.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import type { Clock } from "#ports/clock.ts";
import { type Dependencies, defaultDurations } from "#ports/dependencies.ts";
import type { Forge } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import { type Log, withFacts } from "#ports/log.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { Queue } from "#ports/queue.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { createQueueSlots, type QueueSlots } from "#reconcile/queue-slots.ts";
import { createReconciler, type Reconciler } from "#reconcile/reconciler.ts";
import { createWakeSignal, type WakeSignal } from "#reconcile/wake-signal.ts";
import { runWorkers } from "#reconcile/workers.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { createSqlStore } from "#store/sql-store.ts";

/** An App is installed in another repository now and then. A webhook tells it sooner. */
const listedMs = 10 * minuteMs;
/** Before the first list nothing is polled. */
const unlistedMs = minuteMs;

export interface Installation {
  readonly dependencies: Dependencies;
  readonly reconciler: Reconciler;
  readonly bill: ForgeCallCounter;
  readonly reach: ForgeReach;
  /** Null before the first tick. */
  findBot(): Account | null;
  refreshRepositories(): void;
  /** Cannot fail: an unreachable forge is tried again when it is needed. */
  begin(): void;
  /** Resolves when the running work has ended. May be called before `begin`. */
  stop(): Promise<void>;
  /** Other workers may take the running work now. */
  releaseAll(): Promise<number>;
}

export interface InstallationOptions {
  readonly forge: ForgeConfig;
  readonly key: ForgeCredentials;
  readonly database: Database;
  readonly git: Git;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: BlockSecret;
  readonly secrets: SecretRegistry;
  readonly workers: number;
  readonly limits: OperatorConfig["limits"];
  readonly health?: DatabaseHealth;
  readonly rules: () => Rules;
  readonly budgets?: Dependencies["budgets"];
  /** Asked anew each time. Running work keeps the models that it began with. */
  readonly models: () => ConfiguredModels;
}

/** SPEC 13: at most one write a second, for the whole installation. */
const usualWriteGapMs = secondMs;

/** A caller that composes several starts none of them before all are composed. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { clock } = options;
  const bill = createForgeCallCounter();
  const heard: Heard = { bot: null };
  const reach = createForgeReach(withFacts(options.log, { forge: options.forge.name }));
  const wake = createWakeSignal(clock);
  const slots = createQueueSlots({ workers: options.workers, onOpened: () => wake.notify() });
  const dependencies = maskingDependencies(makeParts(options, { bill, heard, slots, reach }), options.secrets);
  const watched = initialRepositories(options);
  const reconciler = createReconciler(dependencies, {
    isWatched: (name) => watched.names.has(name),
    isListKnown: () => watched.isKnown,
    reactionMsMax: () => options.rules().approval.pollMs,
    onTick: (pull, report, log) => logTick(log, { key: pullKeyOf(dependencies.instance, pull), ...pull }, report),
  });
  const waking = await dependencies.queue.onWake(() => wake.notify());
  try {
    for (const repository of watched.names) await reconciler.watch(repository);
  } catch (error) {
    await waking.stop();
    throw error;
  }
  const listing = createWakeSignal(clock);
  const stopping = new AbortController();
  const workers = { reconciler, queue: dependencies.queue, clock, log: dependencies.log, wake, slots };
  const following = { ...options, log: dependencies.log, watched, wake: listing, reconciler };
  let working: Promise<unknown> = Promise.resolve();
  return {
    dependencies,
    reconciler,
    bill,
    reach,
    findBot: () => heard.bot,
    refreshRepositories: () => listing.notify(),
    begin: () => {
      working = Promise.all([runWorkers(workers, stopping.signal), syncRepositories(following, stopping.signal)]);
    },
    stop: async () => {
      stopping.abort();
      try {
        await waking.stop();
      } finally {
        await working;
      }
    },
    releaseAll: () => reconciler.releaseAll(),
  };
}

interface Heard {
  bot: Account | null;
}

interface Gathered {
  readonly bill: ForgeCallCounter;
  readonly heard: Heard;
  readonly slots: QueueSlots;
  readonly reach: ForgeReach;
}

function makeParts(options: InstallationOptions, { bill, heard, slots, reach }: Gathered): Dependencies {
  const { forge, key, database, clock, limits, secrets } = options;
  const instance = forge.name;
  const random = createSystemRandom();
  const log = withFacts(options.log, { forge: instance });
  const store = createSqlStore({ database });
  const location = forgeLocationOf(forge);
  const client = openForge(location, key, {
    clock,
    secrets,
    onToken: (value) => secrets.registerShortLived({ name: `a token of ${instance}`, value }),
    onSpent: (spent) => bill.note(spent),
  });
  const { writeGapMs = usualWriteGapMs, durations = defaultDurations } = settingsOf(forge);
  return {
    instance,
    version,
    forge: throttledForge({
      forge: listenedTo(reach.follow(client), heard),
      store,
      clock,
      instance,
      writeGapMs,
      paces: throttleScopeOf(key),
      onWaiting: (change) => slots.noteWaiting(change),
    }),
    git: restrictGit(options.git, protocolsOf(location)),
    store,
    queue: followed(
      createSqlQueue({
        database,
        instance,
        random,
        limits: { review: limits.reviews, talk: limits.talks, session: limits.sessions },
      }),
      options.health,
    ),
    reviewers: {
      rules: rulesReviewer(),
      get model() {
        return options.models().reviewer;
      },
      agent: null,
    },
    get model() {
      return options.models().talker;
    },
    agent: suggestionsAgent(),
    notifier: logNotifier(log, (pull) => pullPage(location, pull)),
    clock,
    random,
    log,
    secret: options.secret,
    rulesOf: async () => options.rules(),
    addBaseRules: readRepositoryFile,
    codeOwnersFolders,
    budgets: options.budgets,
    durations,
  };
}

function followed(queue: Queue, health: DatabaseHealth | undefined): Queue {
  return health === undefined ? queue : { ...queue, claim: (asked) => health.follow(() => queue.claim(asked)) };
}

function listenedTo(forge: Forge, heard: Heard): Forge {
  return {
    ...forge,
    fetchIdentity: async () => {
      const identity = await forge.fetchIdentity();
      heard.bot = identity.bot;
      return identity;
    },
  };
}

export interface RepositorySyncContext {
  readonly forge: ForgeConfig;
  readonly key: ForgeCredentials;
  readonly clock: Clock;
  readonly log: Log;
  readonly watched: PolledRepositories;
  readonly reconciler: Pick<Reconciler, "watch" | "ensureWatched">;
  readonly wake: WakeSignal;
}

interface PolledRepositories {
  readonly names: Set<string>;
  isKnown: boolean;
}

/** An App without a list in the configuration has to be asked first. */
function initialRepositories({ forge, key }: Pick<RepositorySyncContext, "forge" | "key">): PolledRepositories {
  return { names: new Set(forge.repositories), isKnown: forge.repositories !== undefined || key.kind !== "app" };
}

export async function syncRepositories(context: RepositorySyncContext, signal: AbortSignal): Promise<void> {
  const { forge, key, clock, log, wake, watched } = context;
  if (forge.repositories !== undefined || key.kind !== "app") return;
  while (!signal.aborted) {
    try {
      const { names, isCut } = await listRepositories(forge, key, clock);
      if (isCut) log.warn({ polled: names.length }, "the App has more repositories than are polled");
      await follow(context, names);
    } catch (error) {
      log.warn({ why: errorText(error) }, "the repositories of the installation cannot be listed");
    }
    await wake.wait(watched.isKnown ? listedMs : unlistedMs, signal);
  }
}

/** Known repositories are checked too: otherwise a lost entry would not be noticed. */
async function follow({ watched, reconciler, log }: RepositorySyncContext, names: readonly string[]): Promise<void> {
  const fresh = names.filter((name) => !watched.names.has(name));
  const known = names.filter((name) => watched.names.has(name));
  const gone = [...watched.names].filter((name) => !names.includes(name));
  for (const name of gone) watched.names.delete(name);
  for (const name of fresh) watched.names.add(name);
  watched.isKnown = true;
  if (fresh.length + gone.length > 0) log.info({ fresh, gone }, "the repositories of the installation");
  for (const name of fresh) await reconciler.watch(name);
  for (const name of known) await reconciler.ensureWatched(name);
}

/** With a token and no configured list nothing is polled: only webhooks say where to look. */
async function listRepositories(forge: ForgeConfig, key: ForgeCredentials, clock: Clock): Promise<RepositoryList> {
  const list = descriptorOf(forge.kind).listRepositories;
  if (forge.repositories !== undefined || key.kind !== "app" || list === undefined) {
    return { names: forge.repositories ?? [], isCut: false };
  }
  return await list({ url: settingsOf(forge).url, key, clock });
}
