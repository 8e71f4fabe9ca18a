import type { Gate } from "#core/decision/situation.ts";
import type { RecordUpdate } from "#core/effects/record-update.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Records } from "#core/model/records.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { Spending } from "#ports/spending.ts";

/**
 * What Drover remembers because the forge cannot tell it. Every call is one transaction: it happens wholly or not at
 * all, and what it answered has survived any crash. Rows are read against their schema on the way out.
 */
export interface Store extends Spending {
  findPull(pull: PullKey): Promise<StoredPull | undefined>;

  /**
   * Writes the records of a pull, if they have not changed since `expectedVersion` was read (0: there were none).
   * `stale` changes nothing: read again and decide again.
   */
  savePull(request: {
    readonly pull: PullKey;
    readonly content: PullContent;
    readonly expectedVersion: number;
  }): Promise<"saved" | "stale">;

  /** The obligation under this key, made now if there is none yet; an existing one is answered as it is. */
  ensureObligation(made: NewObligation): Promise<Obligation>;

  findObligation(key: ObligationKey): Promise<Obligation | undefined>;

  /**
   * Takes the lease, unless it is held at that time: then null. An obligation in any state can be leased; the ledger
   * decides what an expired lease means while `sending`.
   */
  leaseObligation(request: {
    readonly key: ObligationKey;
    readonly lease: Lease;
    readonly now: Instant;
  }): Promise<Obligation | null>;

  /**
   * Changes it for the holder of the lease with this token, even after it has expired, as long as no other caller has
   * taken it.
   */
  changeObligation(request: {
    readonly key: ObligationKey;
    readonly token: string;
    readonly change: ObligationChange;
  }): Promise<"changed" | "lost">;

  /**
   * Obligations of a pull whose result may still change, oldest first: `sending`, `unknown`, and `done` without its
   * note taken. Also `ready` after an attempt, since a suspended worker may still send it.
   */
  findOpenObligations(pull: PullKey): Promise<readonly Obligation[]>;

  /** The ledger of a pull, oldest first. */
  listObligations(pull: PullKey): Promise<readonly Obligation[]>;

  /** The result of a slow step of a job. The first one holds: a second `saveStep` answers with the stored result. */
  findStep(step: StepName): Promise<unknown>;
  saveStep(step: StepName, result: unknown): Promise<unknown>;
  forgetSteps(job: string): Promise<void>;

  /** Until when a forge has told this installation to be quiet; undefined where it has not, or it is over. */
  findPause(request: { readonly instance: string; readonly now: Instant }): Promise<Instant | undefined>;
  /** The later one holds. */
  extendPause(request: { readonly instance: string; readonly until: Instant }): Promise<void>;
  /**
   * Reserves the time at which the caller may write to the forge: each slot is given once, at least `gapMs` after the
   * one before. Null: there is no slot until `noLaterThan`, and none was reserved, so a caller that cannot wait does
   * not delay the others. Slots use the callers' clocks. A slot that lies further ahead of `now` than `aheadMsMax`
   * comes from a wrong clock, this one or the other. It delays no other caller, and the caller's slot is a gap from
   * now.
   */
  reserveWriteSlot(request: {
    readonly instance: string;
    readonly now: Instant;
    readonly gapMs: number;
    readonly noLaterThan: Instant;
    readonly aheadMsMax: number;
  }): Promise<Instant | null>;

  /** What the gate of a commit should say for the sake of one pull; null takes the wish back. The last one holds. */
  saveDesiredGate(pull: PullKey, wish: DesiredGate | null): Promise<void>;
  /** All wishes for one commit of a repository, in the order of their pulls: pulls with one head share its gate. */
  findDesiredGates(
    commit: Pick<DesiredGate, "repository" | "head">,
  ): Promise<readonly (DesiredGate & { readonly pull: PullKey })[]>;

  /** The digests that the poller saw last, of those pulls that it has seen at all. */
  findDigests(pulls: readonly PullKey[]): Promise<ReadonlyMap<PullKey, string>>;
  saveDigests(digests: ReadonlyMap<PullKey, string>): Promise<void>;
  /** The numbers of the pulls whose digests are there and whose keys begin like this (`pullKeysStart`), in no order. */
  listDigested(keysStart: string): Promise<readonly number[]>;
  forgetDigests(pulls: readonly PullKey[]): Promise<void>;

  /**
   * The pull is merged or closed, and nothing is left to do there: so since then, for as long as this version of it is the
   * last. Of another version nothing is noted.
   */
  markEnded(request: { readonly pull: PullKey; readonly version: number; readonly at: Instant }): Promise<void>;

  /**
   * Forgets all that is known of pulls that ended before then, whole pulls, those that ended first and so many at most.
   * Answers with their number. What they have cost stays.
   */
  forgetEnded(request: { readonly before: Instant; readonly countMax: number }): Promise<number>;

  /** Whether a later version has worked here: what it wrote may say what this one cannot read. */
  isOutdated(): Promise<boolean>;
}

export interface StoredPull extends PullContent {
  /** Counts from 1. */
  readonly version: number;
}

export interface PullContent {
  readonly records: Records;
  /** State blocks as last written, by their key: the revision, and the digest of what it said. */
  readonly blocks: Readonly<Record<string, { readonly revision: number; readonly digest: string }>>;
  readonly sight: LastSeen;
}

/** What was seen of the pull last time, to tell a stale read from a change. */
export interface LastSeen {
  readonly changedAt: Instant | null;
  /** Ids of all comments and reviews. */
  readonly remarks: readonly string[];
  /** Since when some of them are missing; deleted or only not shown, time will tell. */
  readonly missingSince: Instant | null;
}

export interface DesiredGate {
  /** Over all forges. */
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

/** An effect that is owed, and what became of it: the ledger entry. */
export interface Obligation extends NewObligation {
  readonly state: ObligationState;
  readonly lease: Lease | null;
  /** The whole text to be sent, produced once. Null until it is produced, or if there is none. */
  readonly text: string | null;
  /** How often it was sent. */
  readonly attempts: number;
}

export interface NewObligation {
  readonly key: ObligationKey;
  readonly pull: PullKey;
  /** The effect's own key within the pull, and its kind. */
  readonly effect: string;
  readonly kind: string;
  /** Effects of one lane follow each other: none is sent while another one of it may be on its way. */
  readonly lane: string;
  readonly head: HeadSha | null;
  /** Who or what asked for it, by which rule, and from which inputs: for people who want to know why. */
  readonly why: { readonly askedBy: string; readonly rule: string; readonly inputs: readonly string[] };
  /** What the records are to say once it is done. */
  readonly note: RecordUpdate;
  readonly createdAt: Instant;
}

export type ObligationState =
  | { readonly kind: "ready"; readonly notBefore: Instant | null; readonly refusal: string | null }
  | { readonly kind: "sending"; readonly since: Instant }
  /** It may have happened. It is not sent again before `settleAt`, and then only after the forge was read. */
  | { readonly kind: "unknown"; readonly since: Instant; readonly settleAt: Instant }
  /** `result` is the forge's id of what was made, where there is one. `isNoted`: the records say so too. */
  | { readonly kind: "done"; readonly result: string | null; readonly at: Instant; readonly isNoted: boolean };

export interface ObligationChange {
  readonly state?: ObligationState;
  readonly text?: string;
  /** Only together with the text: what is said and what is written down follow from one decision. */
  readonly note?: RecordUpdate;
  readonly attempts?: number;
  /** Null gives the lease back. */
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
