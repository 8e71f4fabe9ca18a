import type { BlockSecret } from "#core/blocks/block-mac.ts";
import type { Budgets } from "#core/budget/budgets.ts";
import type { InstanceId } from "#core/model/ids.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import type { Rules } from "#core/model/rules.ts";
import type { RulesInForce } from "#core/review/repository-file.ts";
import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import type { Agent } from "#ports/agent.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";
import type { Answerer } from "#ports/model.ts";
import type { Notifier } from "#ports/notifier.ts";
import type { Queue } from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import type { Store } from "#ports/store.ts";

/** What a worker is made of. One of each per process and forge; functions ask for the few that they need. */
export interface Dependencies {
  readonly instance: InstanceId;
  /** Of this program, as people are told it. */
  readonly version?: string | undefined;
  readonly forge: Forge;
  readonly git: Git;
  readonly store: Store;
  readonly queue: Queue;
  readonly reviewers: Readonly<Record<"rules" | "model" | "agent", Reviewer | null>>;
  /** Null if none is configured: then the answer to a question says so. */
  readonly model: Answerer | null;
  readonly agent: Agent | null;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What state blocks and effect marks are signed with. */
  readonly secret: BlockSecret;
  /** The operator's own, which no text may tell. Absent where there are none. */
  readonly knownSecrets?: SecretMasker | undefined;
  /** The operator's rules for a pull. The additions of the base branch are read when the change is reviewed. */
  readonly rulesOf: (pull: Pull) => Promise<Rules>;
  /**
   * Adds the rules of the base branch's own file; invalid parts are reported and left out. Absent if such files are not
   * read.
   */
  readonly addBaseRules?: ((rules: Rules, file: string) => RulesInForce) | undefined;
  /** Folders of a repository in which CODEOWNERS is looked for, before its root and `docs`. Absent: none. */
  readonly codeOwnersFolders?: readonly string[] | undefined;
  /** What models may cost; absent where there are no caps. Asked anew each time. */
  readonly budgets?: (() => Budgets) | undefined;
  /**
   * Whether another remark may be read by a model, by the name of the job. A one-shot run reads so many and leaves the rest
   * to the next one. Absent: all are read.
   */
  readonly mayReadRemark?: ((job: string) => boolean) | undefined;
  /**
   * How often a call outside is tried before it counts as failed, if less often than by default. A one-shot run waits
   * for no further try, and must report the failure before it ends.
   */
  readonly triesMax?: number | undefined;
  readonly durations: Durations;
}

/** How long things may take. */
export interface Durations {
  /** A worker that is silent for longer is taken for dead. */
  readonly leaseMs: number;
  /** No write begins with less of the lease left: a slow call must end before another worker takes over. */
  readonly marginMs: number;
  /** How long after a write of unknown outcome a look can be believed: forges show their past for up to a minute. */
  readonly settleMs: number;
  /** Before a tick that failed is tried again. */
  readonly retryMs: number;
  readonly sessionMsMax: number;
}

export const defaultDurations: Durations = {
  leaseMs: minuteMs,
  marginMs: 20 * secondMs,
  settleMs: 70 * secondMs,
  retryMs: 10 * secondMs,
  sessionMsMax: 10 * minuteMs,
};
