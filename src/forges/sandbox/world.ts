import type { Diff } from "#core/diff/diff.ts";
import type { Account, Permission } from "#core/model/account.ts";
import type { AccountId, HeadSha, RepositoryId } from "#core/model/ids.ts";
import { type Instant, instant, wholeSecond } from "#core/model/instant.ts";
import type { PullState, StatusState } from "#forges/sandbox/pull-state.ts";
import type {
  SandboxChange,
  SandboxDelivery,
  SandboxFaultSource,
  SandboxManner,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import type { GitHost, HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export interface World {
  readonly host: GitHost;
  readonly clock: Clock;
  readonly manner: SandboxManner;
  readonly quirks: SandboxQuirks;
  readonly faults: SandboxFaultSource;
  readonly accounts: Map<AccountId, Account>;
  readonly repositories: Map<RepositoryId, Repository>;
  /** Within the last minute, where that is limited. */
  readonly writes: Map<AccountId, readonly Instant[]>;
  /** Calls by account and hour, where that is limited. */
  readonly calls: Map<AccountId, { readonly hour: number; readonly count: number }>;
  readonly history: SandboxChange[];
  readonly deliveries: SandboxDelivery[];
  readonly listeners: ((delivery: SandboxDelivery) => void)[];
  readonly now: () => Instant;
  readonly told: (at: Instant) => Instant;
  readonly nextId: () => string;
  /** Calls are served one after the other, however many workers there are. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface Repository {
  readonly ref: RepositoryRef;
  readonly permissions: Map<AccountId, Exclude<Permission, "undetermined">>;
  /** By refs; what git says beyond that is a push not noticed yet. */
  readonly tips: Map<string, HeadSha>;
  readonly pulls: Map<number, PullEntry>;
  readonly statuses: Map<HeadSha, StatusState[]>;
  readonly commits: Map<HeadSha, CommitMade>;
  readonly mergeable: Map<string, boolean>;
  readonly diffs: Map<string, Diff | null>;
  /** The account that last asked for git's address: unannounced pushes count as its own. */
  lastGivenTo: Account;
}

/** Made by hand, so that it can be put on another base. */
export interface CommitMade {
  readonly parent: HeadSha | undefined;
  readonly changes: HostChanges;
  readonly message: string;
}

export interface PullEntry {
  readonly ref: PullRef;
  readonly repository: Repository;
  /** Oldest first, one for each moment at which something changed. */
  readonly versions: PullVersion[];
}

export interface PullVersion {
  readonly at: Instant;
  readonly state: PullState;
}

export interface WorldOptions {
  readonly host: GitHost;
  readonly clock: Clock;
  readonly manner: SandboxManner;
  readonly quirks: SandboxQuirks;
  readonly faults: SandboxFaultSource;
}

export function createWorld(parts: WorldOptions): World {
  let latest = instant(0);
  let lastId = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();
  return {
    ...parts,
    accounts: new Map(),
    repositories: new Map(),
    writes: new Map(),
    calls: new Map(),
    history: [],
    deliveries: [],
    listeners: [],
    now: () => {
      const now = parts.clock.now();
      if (now > latest) latest = now;
      return latest;
    },
    told: (at) => (parts.quirks.cutsTimesToSeconds ? wholeSecond(at) : at),
    nextId: () => {
      lastId += 1;
      return String(lastId);
    },
    inTurn: (work) => {
      const turn = lastTurn.then(work);
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** How far back a stale read can look. */
const versionAgeMsMax = 10 * 60_000;

export function newestOf(entry: PullEntry): PullState {
  const newest = entry.versions.at(-1);
  if (newest === undefined) throw new Error(`${entry.ref.repository.name}#${entry.ref.number} has no state`);
  return newest.state;
}

export function stateAt(entry: PullEntry, at: Instant): PullState | undefined {
  for (let index = entry.versions.length - 1; index >= 0; index--) {
    const version = entry.versions[index];
    if (version !== undefined && version.at <= at) return version.state;
  }
  return undefined;
}

/** Changes of one moment are one version; unreachable versions are forgotten. */
export function addVersion(entry: PullEntry, version: PullVersion): void {
  const { versions } = entry;
  if (versions.at(-1)?.at === version.at) versions.pop();
  versions.push(version);
  let old = 0;
  while (old + 1 < versions.length && (versions[old + 1]?.at ?? version.at) < version.at - versionAgeMsMax) old++;
  if (old > 0) versions.splice(0, old);
}

export function branchRef(branch: string): string {
  return branchPrefix + branch;
}

export const branchPrefix = "refs/heads/";

export function findTip({ tips }: Repository, branch: string): HeadSha | undefined {
  return tips.get(branchRef(branch));
}

export function permissionIn(repository: Repository, account: Account): Exclude<Permission, "undetermined"> {
  return repository.permissions.get(account.id) ?? "read";
}

export function mayWrite(repository: Repository, account: Account): boolean {
  const permission = permissionIn(repository, account);
  return permission === "write" || permission === "admin";
}

export function repositoryOf(world: World, ref: RepositoryRef): Repository {
  const repository = world.repositories.get(ref.id);
  if (repository === undefined) throw new Error(`there is no repository ${ref.name}`);
  return repository;
}

export function entryOf(world: World, ref: PullRef): PullEntry {
  const entry = world.repositories.get(ref.repository.id)?.pulls.get(ref.number);
  if (entry === undefined) throw new Error(`there is no pull ${ref.repository.name}#${ref.number}`);
  return entry;
}
