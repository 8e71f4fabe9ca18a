import type { Account, Permission } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { Instant } from "#core/model/instant.ts";
import type { SandboxFaultSource, SandboxPerson, SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

/** One forge with everything around it that a test needs: people act on it by hand, and a client is judged. */
export interface ForgeWorld {
  /** A Drover's git, which knows nothing of the forge but the remotes that its client names. */
  readonly git: Git;

  addAccount(made: { readonly login: string; readonly kind: Account["kind"] }): Promise<Account>;
  createRepository(made: {
    readonly name: string;
    readonly by: Account;
    readonly files: HostChanges;
  }): Promise<RepositoryRef>;
  setPermission(request: {
    readonly repository: RepositoryRef;
    readonly account: Account;
    readonly permission: Exclude<Permission, "undetermined">;
  }): Promise<void>;

  /** What people do in a browser and with a clone; past the client, so that the two cannot be wrong together. */
  as(account: Account): ForgePerson;
  /** What the suite judges. The clock is that of the machine it runs on, where it is not the forge's. */
  clientOf(account: Account, clock?: Clock): Forge;
  /** The truth, read past the client: no lag, nothing hidden. */
  look(pull: PullRef): Promise<ForgeTruth>;

  /** The forge's clock. */
  now(): Instant;
  pass(ms: number): Promise<void>;
  /** Waits until the forge has computed whatever it computes after a push. */
  settle(pull: PullRef): Promise<void>;

  /** From now on this is asked before each request of any client, and its answer happens to the request. */
  meddle(source: Meddler): void;

  /** A review by this account that was begun and never submitted, with one remark. */
  leavePendingReview(request: { readonly pull: PullRef; readonly by: Account }): Promise<void>;

  close(): Promise<void>;
}

export type ForgePerson = SandboxPerson;
export type Meddler = SandboxFaultSource;
export type ForgeTruth = Pick<
  SandboxPull,
  "pull" | "comments" | "reviews" | "threads" | "reactions" | "commentReactions" | "gates" | "merged"
>;

/**
 * What some test needs and not every world has. `meddling`: requests can be counted and spoilt. `late_reads`: they can be
 * shown the past. `hundreds`: it is quick enough for hundreds of pulls. `time`: minutes pass at will, also during a request. `thousands`: it is quick enough to be filled. `steady_pages`: what is deleted during a look moves nothing else
 * out of sight. The others are things that a forge tells, or does not.
 */
export type Need =
  | "meddling"
  | "late_reads"
  | "hundreds"
  | "time"
  | "thousands"
  | "pending_reviews"
  | "merge_delay"
  | "steady_pages"
  | "long_texts"
  | "long_gate_words"
  | "push_times"
  | "permissions_of_others"
  | "requests_by_writers"
  | "edit_times"
  | "digest_of_checks"
  | "digest_of_reactions"
  | "refused_anchors"
  | keyof Capabilities;

export interface WorldEntry {
  readonly name: string;
  readonly open: () => Promise<ForgeWorld>;
  readonly capabilities: Capabilities;
  /** What it cannot do, and why not. `declared.test.ts` pins it, so that no gap slips in. */
  readonly lacks: Readonly<Partial<Record<Need, string>>>;
}

/**
 * For `it.each`: a test that runs where the world has this. Nothing is skipped: where it is lacking, another test says
 * what holds instead, or the declaration says why there is none.
 */
export function having(entry: WorldEntry, need: Need): readonly Need[] {
  return entry.lacks[need] === undefined ? [need] : [];
}

/** For `it.each`: a test that runs where the world does not have this. */
export function lacking(entry: WorldEntry, need: Need): readonly Need[] {
  return entry.lacks[need] === undefined ? [] : [need];
}
