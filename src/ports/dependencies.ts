import type { BlockSecret } from "#core/blocks/block-secret.ts";
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

/** One of each per process and forge; functions ask for the few that they need. */
export interface Dependencies {
  readonly instance: InstanceId;
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
  /** Signs state blocks and effect marks. */
  readonly secret: BlockSecret;
  readonly knownSecrets?: SecretMasker | undefined;
  /** The operator's rules. The base branch's additions are read when the change is reviewed. */
  readonly rulesOf: (pull: Pull) => Promise<Rules>;
  /** Adds the rules of the base branch's file; invalid parts are reported and left out. Absent: such files are not read. */
  readonly addBaseRules?: ((rules: Rules, file: string) => RulesInForce) | undefined;
  readonly codeOwnersFolders?: readonly string[] | undefined;
  /** Absent where there are no caps. Asked anew each time. */
  readonly budgets?: (() => Budgets) | undefined;
  /** Whether a model may read another remark. A one-shot run leaves the rest to the next one. Absent: all are read. */
  readonly mayReadRemark?: ((job: string) => boolean) | undefined;
  /** Tries of a call outside before it counts as failed. A one-shot run must report a failure before it ends. */
  readonly triesMax?: number | undefined;
  readonly durations: Durations;
}

export interface Durations {
  /** A worker that is silent for longer is taken for dead. */
  readonly leaseMs: number;
  /** No write begins with less lease left: a slow call must end before another worker takes over. */
  readonly marginMs: number;
  /** How long after a write of unknown outcome a read can be believed: forges show their past for up to a minute. */
  readonly settleMs: number;
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
