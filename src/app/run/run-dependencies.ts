import { codeOwnersFolders } from "#app/forge/forge-table.ts";
import { type ConfiguredModels } from "#app/models/open-models.ts";
import { type RetryTrackingQueue, trackRetries } from "#app/run/retry-tracking-queue.ts";
import { maskingDependencies } from "#app/secrets/masking-dependencies.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { version } from "#app/version.ts";
import { readRepositoryFile } from "#config/read-repository-file.ts";
import { type BlockSecret } from "#core/blocks/block-secret.ts";
import { type Budgets } from "#core/budget/budgets.ts";
import { type InstanceId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { type Rules } from "#core/model/rules.ts";
import { type SecretMasker } from "#core/secrets/known-secrets.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import { type Clock } from "#ports/clock.ts";
import { type Dependencies, defaultDurations } from "#ports/dependencies.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { type Git } from "#ports/git.ts";
import { type Log } from "#ports/log.ts";
import { type Reviewer } from "#ports/reviewer.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { createMemoryStore } from "#store/memory-store.ts";

export interface RunDependenciesOptions extends RestrictForgeOptions {
  readonly instance: InstanceId;
  readonly git: Git;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: BlockSecret;
  readonly secrets: SecretMasker;
  readonly rules: Rules;
  readonly models: ConfiguredModels;
  readonly budgets?: Budgets | undefined;
  readonly writeGapMs: number;
  readonly triesMax?: number | undefined;
}

export interface RunDependencies {
  readonly dependencies: Dependencies;
  readonly retried: RetryTrackingQueue["retried"];
}

/** Every second of a run costs money, so failures are retried sooner than by a server. */
const retryMs = secondMs;

/** All in memory: the pull is the only thing that one run leaves to the next. */
export function createRunDependencies(options: RunDependenciesOptions): RunDependencies {
  const { instance, git, clock, log, secret, rules, models, budgets, writeGapMs } = options;
  const random = createSystemRandom();
  const store = createMemoryStore();
  const { queue, retried } = trackRetries(createMemoryQueue({ clock, random }));
  const dependencies: Dependencies = {
    instance,
    version,
    forge: restrictForge({ ...options, forge: throttledForge({ ...options, store, writeGapMs }) }),
    git,
    store,
    queue,
    reviewers: { rules: rulesReviewer(), model: withoutBatches(models.reviewer), agent: null },
    model: models.talker,
    agent: options.mayWrite ? suggestionsAgent() : null,
    // Receivers of notices read the output of the run.
    notifier: { notify: async () => undefined },
    clock,
    random,
    log,
    secret,
    rulesOf: async () => rules,
    addBaseRules: readRepositoryFile,
    codeOwnersFolders,
    ...(budgets === undefined ? {} : { budgets: () => budgets }),
    mayReadRemark: boundReading(),
    triesMax: options.triesMax,
    durations: { ...defaultDurations, retryMs },
  };
  return { dependencies: maskingDependencies(dependencies, options.secrets), retried };
}

/** Only the final state is noted on the pull, for the next run. */
const remarksReadMax = 40;

function boundReading(): (job: string) => boolean {
  const read = new Set<string>();
  return (job) => {
    if (read.size < remarksReadMax) read.add(job);
    return read.has(job);
  };
}

/** The run ends before a batch does, so roles that use batches are reviewed live. */
function withoutBatches(reviewer: Reviewer | null): Reviewer | null {
  return reviewer === null ? null : { ...reviewer, batched: undefined };
}

interface RestrictForgeOptions {
  readonly forge: Forge;
  /** False: nothing is written. The run of a fork may not write, so a call would only be refused. */
  readonly mayWrite: boolean;
  readonly onError: (error: unknown) => void;
}

function restrictForge({ forge, mayWrite, onError }: RestrictForgeOptions): Forge {
  const ask = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const write = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    if (mayWrite) return await ask(call);
    throw new ForgeError("forbidden", "this run only reads", { isApplied: "no" });
  };
  return {
    fetchIdentity: async () => await ask(async () => await forge.fetchIdentity()),
    fetchRepository: async (name) => await ask(async () => await forge.fetchRepository(name)),
    findRateLimit: (repository) => forge.findRateLimit(repository),
    fetchPull: async (pull) => await ask(async () => await forge.fetchPull(pull)),
    fetchPermission: async (request) => await ask(async () => await forge.fetchPermission(request)),
    fetchOpenPulls: async (repository) => await ask(async () => await forge.fetchOpenPulls(repository)),
    fetchRemote: async (repository, use) => await ask(async () => await forge.fetchRemote(repository, use)),
    createComment: async (request) => await write(async () => await forge.createComment(request)),
    editComment: async (request) => await write(async () => await forge.editComment(request)),
    addReaction: async (request) => await write(async () => await forge.addReaction(request)),
    claimPull: async (request) => await write(async () => await forge.claimPull(request)),
    releasePull: async (request) => await write(async () => await forge.releasePull(request)),
    submitReview: async (request) => await write(async () => await forge.submitReview(request)),
    editReview: async (request) => await write(async () => await forge.editReview(request)),
    dismissReview: async (request) => await write(async () => await forge.dismissReview(request)),
    discardPendingReview: async (request) => await write(async () => await forge.discardPendingReview(request)),
    replyInThread: async (request) => await write(async () => await forge.replyInThread(request)),
    resolveThread: async (request) => await write(async () => await forge.resolveThread(request)),
    setGate: async (request) => await write(async () => await forge.setGate(request)),
    editLabels: async (request) => await write(async () => await forge.editLabels(request)),
    requestReviews: async (request) => await write(async () => await forge.requestReviews(request)),
    merge: async (request) => await write(async () => await forge.merge(request)),
  };
}
