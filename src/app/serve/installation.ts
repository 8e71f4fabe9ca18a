import { boundGit } from "#app/forge/bound-git.ts";
import { followRepositories, watchedAtFirst } from "#app/forge/follow-repositories.ts";
import { createForgeBill, type ForgeBill } from "#app/forge/forge-bill.ts";
import { type ForgeKey, pacesOf } from "#app/forge/forge-key.ts";
import { protocolsOf } from "#app/forge/git-protocols.ts";
import { openForge, placeOf, pullPage } from "#app/forge/open-forge.ts";
import { logNotifier } from "#app/log-notifier.ts";
import type { OpenModels } from "#app/models/open-models.ts";
import { guardedParts } from "#app/secrets/guarded-parts.ts";
import type { SecretKeeper } from "#app/secrets/secret-keeper.ts";
import type { DatabaseHealth } from "#app/serve/database-health.ts";
import { createForgeReach, type ForgeReach } from "#app/serve/forge-reach.ts";
import { logTick } from "#app/serve/log-tick.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { version } from "#app/version.ts";
import type { ForgeConfig, OperatorConfig } from "#config/operator-config.ts";
import { readBaseRules } from "#config/read-base-rules.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import type { Account } from "#core/model/account.ts";
import { secondMs } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Database } from "#database/database.ts";
import { pacedForge } from "#forges/paced-forge.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import { type Log, withFacts } from "#ports/log.ts";
import { defaultSpans, type Parts } from "#ports/parts.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { Queue } from "#ports/queue.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { type Crank, createCrank } from "#reconcile/crank.ts";
import { createSlots, type Slots } from "#reconcile/slots.ts";
import { createWake } from "#reconcile/wake.ts";
import { runWorkers } from "#reconcile/workers.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { createSqlStore } from "#store/sql-store.ts";

/** Drover on one forge: its workers, and what they are made of. */
export interface Installation {
  readonly parts: Parts;
  readonly crank: Crank;
  readonly bill: ForgeBill;
  readonly reach: ForgeReach;
  /** The account that it acts as; null before anything was looked at. */
  findBot(): Account | null;
  /** The repositories that it may work on have changed. */
  listAgain(): void;
  /** Lets it work. It cannot fail: what cannot be reached yet is tried again by whoever needs it. */
  begin(): void;
  /** Takes nothing new from now on. Resolves when what was running has ended. Also for one that has not begun. */
  stop(): Promise<void>;
  /** What still runs is due for somebody else now. */
  handBack(): Promise<number>;
}

export interface InstallationOptions {
  readonly forge: ForgeConfig;
  readonly key: ForgeKey;
  readonly database: Database;
  readonly git: Git;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: BlockSecret;
  /** The operator's own. */
  readonly secrets: SecretKeeper;
  readonly workers: number;
  readonly limits: OperatorConfig["limits"];
  /** Told of each entry that is taken from the queue, or cannot be. */
  readonly health?: DatabaseHealth;
  /** Asked anew each time, so that a reload holds for the next tick. */
  readonly rules: () => Rules;
  /** Likewise. Absent: no caps. */
  readonly budgets?: Parts["budgets"];
  /** Asked anew each time as well: what is running goes on with those that it began with. */
  readonly models: () => OpenModels;
}

/** SPEC 13: at most one write a second, for the whole installation. */
const usualWriteGapMs = secondMs;

/** Puts it together. Whoever puts several together lets none of them work before all are there. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { clock } = options;
  const bill = createForgeBill();
  const heard: Heard = { bot: null };
  const reach = createForgeReach(withFacts(options.log, { forge: options.forge.name }));
  const wake = createWake(clock);
  const slots = createSlots({ workers: options.workers, onOpened: () => wake.ring() });
  const parts = guardedParts(makeParts(options, { bill, heard, slots, reach }), options.secrets);
  const watched = watchedAtFirst(options);
  const crank = createCrank(parts, {
    isWatched: (name) => watched.names.has(name),
    isListKnown: () => watched.isKnown,
    reactionMsMax: () => options.rules().approval.pollMs,
    onTick: (pull, report, log) => logTick(log, { key: pullKeyOf(parts.instance, pull), ...pull }, report),
  });
  const waking = await parts.queue.onWake(() => wake.ring());
  try {
    for (const repository of watched.names) await crank.watch(repository);
  } catch (error) {
    await waking.stop();
    throw error;
  }
  const listing = createWake(clock);
  const stopping = new AbortController();
  const place = { crank, queue: parts.queue, clock, log: parts.log, wake, slots };
  const following = { ...options, log: parts.log, watched, wake: listing, crank };
  let working: Promise<unknown> = Promise.resolve();
  return {
    parts,
    crank,
    bill,
    reach,
    findBot: () => heard.bot,
    listAgain: () => listing.ring(),
    begin: () => {
      working = Promise.all([runWorkers(place, stopping.signal), followRepositories(following, stopping.signal)]);
    },
    stop: async () => {
      stopping.abort();
      try {
        await waking.stop();
      } finally {
        await working;
      }
    },
    handBack: () => crank.handBack(),
  };
}

/** What was learnt on the way. */
interface Heard {
  bot: Account | null;
}

interface Gathered {
  readonly bill: ForgeBill;
  readonly heard: Heard;
  readonly slots: Slots;
  readonly reach: ForgeReach;
}

function makeParts(options: InstallationOptions, { bill, heard, slots, reach }: Gathered): Parts {
  const { forge, key, database, clock, limits, secrets } = options;
  const instance = forge.name;
  const random = createSystemRandom();
  const log = withFacts(options.log, { forge: instance });
  const store = createSqlStore({ database });
  const place = placeOf(forge);
  const client = openForge(place, key, {
    clock,
    secrets,
    onToken: (value) => secrets.learnPassing({ name: `a token of ${instance}`, value }),
    onSpent: (spent) => bill.note(spent),
  });
  const { writeGapMs, spans } = spansOf(forge);
  return {
    instance,
    version,
    forge: pacedForge({
      forge: listenedTo(reach.follow(client), heard),
      store,
      clock,
      instance,
      writeGapMs,
      paces: pacesOf(key),
      onWaiting: (change) => slots.noteWaiting(change),
    }),
    git: boundGit(options.git, protocolsOf(place)),
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
    notifier: logNotifier(log, (pull) => pullPage(place, pull)),
    clock,
    random,
    log,
    secret: options.secret,
    rulesOf: async () => options.rules(),
    addBaseRules: readBaseRules,
    budgets: options.budgets,
    spans,
  };
}

function followed(queue: Queue, health: DatabaseHealth | undefined): Queue {
  return health === undefined ? queue : { ...queue, take: (asked) => health.follow(() => queue.take(asked)) };
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

function spansOf(forge: ForgeConfig): {
  readonly writeGapMs: number;
  readonly spans: Parts["spans"];
} {
  if (forge.kind !== "sandbox") return { writeGapMs: forge.writeGapMs, spans: defaultSpans };
  const { writeGapMs = usualWriteGapMs, leaseMs, marginMs, settleMs, retryMs } = forge.spans;
  return {
    writeGapMs,
    spans: {
      ...defaultSpans,
      leaseMs: leaseMs ?? defaultSpans.leaseMs,
      marginMs: marginMs ?? defaultSpans.marginMs,
      settleMs: settleMs ?? defaultSpans.settleMs,
      retryMs: retryMs ?? defaultSpans.retryMs,
    },
  };
}
