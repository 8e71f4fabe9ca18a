import type { RecordUpdate } from "#core/effects/record-update.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Records } from "#core/model/records.ts";
import type { Gate } from "#core/model/situation.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { Spending } from "#ports/spending.ts";

/** What the forge cannot tell. Each call is one transaction, and its answer has survived a crash. Rows are read by schema. */
export interface Store extends Spending {
  findPull(pull: PullKey): Promise<StoredPull | undefined>;

  /** If unchanged since `expectedVersion` was read (0: none). `stale` changes nothing: read and decide again. */
  savePull(request: {
    readonly pull: PullKey;
    readonly content: PullContent;
    readonly expectedVersion: number;
  }): Promise<"saved" | "stale">;

  /** An existing one is answered as it is. */
  ensureObligation(made: NewObligation): Promise<Obligation>;

  findObligation(key: ObligationKey): Promise<Obligation | undefined>;

  /** Null where it is held. In any state: the ledger decides what an expired lease means while `sending`. */
  leaseObligation(request: {
    readonly key: ObligationKey;
    readonly lease: Lease;
    readonly now: Instant;
  }): Promise<Obligation | null>;

  /** For the lease's holder, even after it expired, as long as no other caller has taken it. */
  changeObligation(request: {
    readonly key: ObligationKey;
    readonly token: string;
    readonly change: ObligationChange;
  }): Promise<"changed" | "lost">;

  /** Those that may still change, oldest first; also `ready` after an attempt, since a suspended worker may still send it. */
  findOpenObligations(pull: PullKey): Promise<readonly Obligation[]>;

  listObligations(pull: PullKey): Promise<readonly Obligation[]>;

  /** The first result of a step holds: a second `saveStep` answers with it. */
  findStep(step: StepName): Promise<unknown>;
  saveStep(step: StepName, result: unknown): Promise<unknown>;
  forgetSteps(job: string): Promise<void>;

  /** Until when this forge told the installation to be quiet; undefined where it did not, or it is over. */
  findPause(request: { readonly instance: string; readonly now: Instant }): Promise<Instant | undefined>;
  /** The later one holds. */
  extendPause(request: { readonly instance: string; readonly until: Instant }): Promise<void>;
  /**
   * A turn to write: each slot is given once, `gapMs` after the last. Null: none until `noLaterThan`, and none reserved. By
   * the callers' clocks: a slot further ahead than `aheadMsMax` is a wrong clock's, delays no one, and the caller gets a
   * gap from now.
   */
  reserveWriteSlot(request: {
    readonly instance: string;
    readonly now: Instant;
    readonly gapMs: number;
    readonly noLaterThan: Instant;
    readonly aheadMsMax: number;
  }): Promise<Instant | null>;

  /** For the sake of one pull; null takes the wish back. The last one holds. */
  saveDesiredGate(pull: PullKey, wish: DesiredGate | null): Promise<void>;
  /** In the order of their pulls: pulls with one head share its gate. */
  findDesiredGates(
    commit: Pick<DesiredGate, "repository" | "head">,
  ): Promise<readonly (DesiredGate & { readonly pull: PullKey })[]>;

  /** Of those pulls that the poller has seen. */
  findDigests(pulls: readonly PullKey[]): Promise<ReadonlyMap<PullKey, string>>;
  saveDigests(digests: ReadonlyMap<PullKey, string>): Promise<void>;
  /** Pulls with a digest whose keys begin like this (`pullKeysStart`), in no order. */
  listDigested(keysStart: string): Promise<readonly number[]>;
  forgetDigests(pulls: readonly PullKey[]): Promise<void>;

  /** Merged or closed with nothing left to do, as long as this version is the last. Of another version nothing is noted. */
  markEnded(request: { readonly pull: PullKey; readonly version: number; readonly at: Instant }): Promise<void>;

  /** Whole pulls that ended before then, the first ones, up to a limit. Answers with their number. Costs stay. */
  forgetEnded(request: { readonly before: Instant; readonly countMax: number }): Promise<number>;

  /** Whether a later version worked here: what it wrote may say what this one cannot read. */
  isOutdated(): Promise<boolean>;
}

export interface StoredPull extends PullContent {
  readonly version: number;
}

export interface PullContent {
  readonly records: Records;
  /** By key: the revision as last written, and the digest of what it said. */
  readonly blocks: Readonly<Record<string, { readonly revision: number; readonly digest: string }>>;
  readonly sight: LastSeen;
}

/** To tell a stale read from a change. */
export interface LastSeen {
  readonly changedAt: Instant | null;
  readonly remarks: readonly string[];
  /** Since when some are missing: deleted, or only not shown. */
  readonly missingSince: Instant | null;
}

export interface DesiredGate {
  readonly repository: string;
  readonly head: HeadSha;
  readonly state: Gate["state"];
  readonly words: string;
}

declare const obligationKeyBrand: unique symbol;
/** The pull's key and the effect's: webhook and poller make the same one. */
export type ObligationKey = string & { readonly [obligationKeyBrand]: true };

export function obligationKeyOf(pull: PullKey, effect: string): ObligationKey {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return `${pull}/${effect}` as ObligationKey;
}

/** An effect that is owed, and what became of it. */
export interface Obligation extends NewObligation {
  readonly state: ObligationState;
  readonly lease: Lease | null;
  /** Produced once. Null until then, or if there is none. */
  readonly text: string | null;
  readonly attempts: number;
}

export interface NewObligation {
  readonly key: ObligationKey;
  readonly pull: PullKey;
  readonly effect: string;
  readonly kind: string;
  /** Of one lane none is sent while another may be on its way. */
  readonly lane: string;
  readonly head: HeadSha | null;
  readonly why: { readonly askedBy: string; readonly rule: string; readonly inputs: readonly string[] };
  readonly note: RecordUpdate;
  readonly createdAt: Instant;
}

export type ObligationState =
  | { readonly kind: "ready"; readonly notBefore: Instant | null; readonly refusal: string | null }
  | { readonly kind: "sending"; readonly since: Instant }
  /** Not sent again before `settleAt`, and then only after the forge was read. */
  | { readonly kind: "unknown"; readonly since: Instant; readonly settleAt: Instant }
  /** `result`: the forge's id of what was made. `isNoted`: the records say so too. */
  | { readonly kind: "done"; readonly result: string | null; readonly at: Instant; readonly isNoted: boolean };

export interface ObligationChange {
  readonly state?: ObligationState;
  readonly text?: string;
  /** Only with the text: both follow from one decision. */
  readonly note?: RecordUpdate;
  readonly attempts?: number;
  readonly lease?: Lease | null;
}

export interface Lease {
  readonly token: string;
  readonly until: Instant;
}

export interface StepName {
  readonly job: string;
  readonly step: string;
}
