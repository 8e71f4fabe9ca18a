import type { OpenModels } from "#app/models/open-models.ts";
import { type BoundForgeParts, boundForge } from "#app/run/bound-forge.ts";
import { type CountedQueue, countRetries } from "#app/run/counted-queue.ts";
import { guardedParts } from "#app/secrets/guarded-parts.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { version } from "#app/version.ts";
import { readBaseRules } from "#config/read-base-rules.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import type { Budgets } from "#core/budget/budgets.ts";
import type { InstanceId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import type { KnownSecrets } from "#core/secrets/known-secrets.ts";
import { pacedForge } from "#forges/paced-forge.ts";
import type { Clock } from "#ports/clock.ts";
import type { Git } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";
import { defaultSpans, type Parts } from "#ports/parts.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { createMemoryStore } from "#store/memory-store.ts";

export interface RunPartsOptions extends BoundForgeParts {
  readonly instance: InstanceId;
  readonly git: Git;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: BlockSecret;
  /** The operator's own. */
  readonly secrets: KnownSecrets;
  readonly rules: Rules;
  readonly models: OpenModels;
  /** Absent: no caps. */
  readonly budgets?: Budgets | undefined;
  readonly writeGapMs: number;
  readonly triesMax?: number | undefined;
}

export interface RunParts {
  readonly parts: Parts;
  readonly retried: CountedQueue["retried"];
}

/** Somebody pays for every second of a run, so what failed is tried again sooner than by a server. */
const retryMs = secondMs;

/** What a server is made of, in memory: the pull itself is all that one run leaves to the next. */
export function makeRunParts(options: RunPartsOptions): RunParts {
  const { instance, git, clock, log, secret, rules, models, budgets, writeGapMs } = options;
  const random = createSystemRandom();
  const store = createMemoryStore();
  const { queue, retried } = countRetries(createMemoryQueue({ clock, random }));
  const parts: Parts = {
    instance,
    version,
    forge: boundForge({ ...options, forge: pacedForge({ ...options, store, writeGapMs }) }),
    git,
    store,
    queue,
    reviewers: { rules: rulesReviewer(), model: withoutBatches(models.reviewer), agent: null },
    model: models.talker,
    agent: options.mayWrite ? suggestionsAgent() : null,
    // Whoever listens hears it from the output of the run.
    notifier: { notify: async () => undefined },
    clock,
    random,
    log,
    secret,
    rulesOf: async () => rules,
    addBaseRules: readBaseRules,
    ...(budgets === undefined ? {} : { budgets: () => budgets }),
    mayReadRemark: boundReading(),
    triesMax: options.triesMax,
    spans: { ...defaultSpans, retryMs },
  };
  return { parts: guardedParts(parts, options.secrets), retried };
}

/** A run ends some time, and only what it comes to rest with is noted on the pull: the next one goes on from there. */
const remarksReadMax = 40;

function boundReading(): (job: string) => boolean {
  const read = new Set<string>();
  return (job) => {
    if (read.size < remarksReadMax) read.add(job);
    return read.has(job);
  };
}

/** Nobody is there in an hour to read what came of one: roles that are to be reviewed by batch are reviewed at once. */
function withoutBatches(reviewer: Reviewer | null): Reviewer | null {
  return reviewer === null ? null : { ...reviewer, batched: undefined };
}
