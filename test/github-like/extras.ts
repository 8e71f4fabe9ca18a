import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { createRuns, type Runs } from "#github-like/check-runs.ts";

/** What GitHub holds of a pull and the sandbox does not know: kept by this server alone, without a past. */
export interface Extras {
  readonly autoMerges: Map<string, AutoMerge>;
  readonly queueEntries: Map<string, QueueEntry>;
  /** By node id, with the reason. */
  readonly minimized: Map<string, string>;
  /** Of threads, by their node id. */
  readonly resolvers: Map<string, Account>;
  readonly runs: Runs;
  /** Branches that are merged by GitHub's queue alone, as `repository:branch`. */
  readonly queuedBranches: Set<string>;
  /** Installations of every App, elsewhere, that their owners have suspended: GitHub goes on listing them. */
  readonly suspended: Set<number>;
  /** Repositories, by id, whose owners let GitHub Actions approve. In a new one that is off. */
  readonly approvedByActions: Set<string>;
  /** Which workflow a job of GitHub Actions belongs to, by the name of its check. */
  readonly workflows: Map<string, Workflow>;
}

export interface Workflow {
  readonly name: string;
  readonly event: string;
}

export interface AutoMerge {
  readonly by: Account;
  readonly at: Instant;
  readonly method: string;
}

export interface QueueEntry {
  readonly by: Account;
  readonly at: Instant;
  readonly head: HeadSha;
}

export interface CheckRunExtra {
  readonly annotations: number;
  readonly title: string;
  readonly text: string | null;
  readonly detailsUrl: string | null;
  readonly externalId: string;
}

export function createExtras(): Extras {
  return {
    autoMerges: new Map(),
    queueEntries: new Map(),
    minimized: new Map(),
    resolvers: new Map(),
    runs: createRuns(),
    queuedBranches: new Set(),
    suspended: new Set(),
    approvedByActions: new Set(),
    workflows: new Map(),
  };
}

export function pullKey(repository: string, number: number): string {
  return `${repository}#${number}`;
}
