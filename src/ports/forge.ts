import type { Side } from "#core/diff/hunk.ts";
import type { Account, Permission } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { Reaction } from "#core/model/conversation.ts";
import type { CommentId, HeadSha, ReviewId, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Verdict } from "#core/review/verdict.ts";
import type { Remote } from "#ports/git.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

/** Reads may be stale by up to a minute, per endpoint. A write is sent once, never repeated. Failures are `ForgeError`s. */
export interface Forge {
  /** May be kept for an hour. */
  fetchIdentity(): Promise<Identity>;

  /** `owner/name`. Its id stays when it is renamed. */
  fetchRepository(name: string): Promise<RepositoryRef>;

  /** From the last response; makes no call. The limit for this repository; without one, the tightest of all. */
  findRateLimit(repository?: RepositoryRef): RateLimitStatus | null;

  /**
   * All pages, up to `core/model/limits.ts`; cuts are named. Lists have no order and may repeat. Only the bot's own pending
   * review is listed.
   */
  fetchPull(pull: PullRef): Promise<FetchedPull>;

  /** `undetermined` where the forge would not tell; other failures are thrown. */
  fetchPermission(request: { readonly repository: RepositoryRef; readonly account: Account }): Promise<Permission>;

  /** All, or at least `openPullsMax` of them. What has no webhook (reactions) must change the digest, where it can. */
  fetchOpenPulls(repository: RepositoryRef): Promise<readonly PullDigest[]>;

  /** A credential for some minutes. One for `read` may be refused a push, where the forge can limit it so. */
  fetchRemote(repository: RepositoryRef, use: RemoteUse): Promise<Remote>;

  createComment(request: {
    readonly pull: PullRef;
    readonly body: string;
    readonly urgency?: WriteUrgency;
  }): Promise<CommentId>;

  /** A comment of the bot's own. Twice is once. */
  editComment(request: {
    readonly pull: PullRef;
    readonly comment: CommentId;
    readonly body: string;
    readonly urgency?: WriteUrgency;
  }): Promise<void>;

  /** On a comment, or with `mayReactToReviews` on a review (id as in `review-text.ts`). Twice is once. */
  addReaction(request: {
    readonly pull: PullRef;
    readonly comment: CommentId;
    readonly content: Reaction["content"];
  }): Promise<void>;

  /** Of several callers with the same sign one is told `claimed`; the others `held`, and for how long. */
  claimPull(request: { readonly pull: PullRef; readonly sign: ClaimSign }): Promise<ClaimOutcome>;

  /** Where the forge can tell claims apart, a later claim stays. Twice is once. */
  releasePull(request: { readonly pull: PullRef; readonly claim: string; readonly sign: ClaimSign }): Promise<void>;

  /** All or nothing. Every remark must lie in the head's diff: else GitHub refuses the review and Gitea hides the remark. */
  submitReview(request: ReviewSubmission): Promise<ReviewId>;

  /** A review of the bot's own. Only with `mayEditReviewBodies`. Twice is once. */
  editReview(request: { readonly pull: PullRef; readonly review: ReviewId; readonly body: string }): Promise<void>;

  /** Withdraws a verdict of the bot's own. Only with `mayDismissReviews`. Twice is once. */
  dismissReview(request: { readonly pull: PullRef; readonly review: ReviewId; readonly words: string }): Promise<void>;

  /** A review of the bot's own that was never submitted: what a failed submission leaves. Twice is once. */
  discardPendingReview(request: { readonly pull: PullRef; readonly review: ReviewId }): Promise<void>;

  replyInThread(request: {
    readonly pull: PullRef;
    readonly thread: ThreadId;
    readonly body: string;
  }): Promise<CommentId>;

  /** Only with `mayResolveThreads`. Twice is once. */
  resolveThread(request: { readonly pull: PullRef; readonly thread: ThreadId }): Promise<void>;

  /** The last word counts; the same twice shows the same. */
  setGate(request: {
    readonly pull: PullRef;
    readonly head: HeadSha;
    readonly state: "pending" | "success" | "failure" | "neutral";
    readonly words: string;
    /** Shown only where the gate is a check run. */
    readonly annotations?: readonly GateAnnotation[];
  }): Promise<void>;

  /** Twice is once. Labels to add come first, perhaps in a call of their own, so a failure may have done half. */
  editLabels(request: {
    readonly pull: PullRef;
    readonly add: readonly string[];
    readonly remove: readonly string[];
  }): Promise<void>;

  /** Twice is once as long as they have not answered. */
  requestReviews(request: { readonly pull: PullRef; readonly reviewers: readonly Account[] }): Promise<void>;

  /** Exactly this commit into the pull's present base, or nothing. `isHandedOver`: it is not delegated again. */
  merge(request: {
    readonly pull: PullRef;
    readonly head: HeadSha;
    readonly isHandedOver?: boolean;
  }): Promise<MergeOutcome>;
}

/** The right to push includes the right to read. */
export type RemoteUse = "read" | "push";

export interface RateLimitStatus {
  readonly limit: number;
  readonly left: number;
  /** On this machine's clock. */
  readonly resetAt: Instant;
}

/** Who waits for a delayed write: `people` asked, `result` has readers, `upkeep` is for no one in particular. */
export const writeUrgencies = ["people", "result", "upkeep"] as const;
export type WriteUrgency = (typeof writeUrgencies)[number];

export const forgeWrites = [
  "createComment",
  "editComment",
  "addReaction",
  "claimPull",
  "releasePull",
  "submitReview",
  "editReview",
  "dismissReview",
  "discardPendingReview",
  "replyInThread",
  "resolveThread",
  "setGate",
  "editLabels",
  "requestReviews",
  "merge",
] as const satisfies readonly (keyof Forge)[];

export interface Identity {
  readonly bot: Account;
  readonly capabilities: Capabilities;
}

export interface FetchedPull
  extends Pick<
    Observation,
    "observedAt" | "pull" | "comments" | "reviews" | "threads" | "reactions" | "checks" | "gate" | "limitsReached"
  > {
  /** Never goes back on the forge: an older one is a stale read. Not every change moves it (reactions do not). */
  readonly changedAt: Instant;
  /** Where git finds the head, also of a fork: `refs/pull/7/head`. */
  readonly headRef: string;
  /** The forge refused an approval of ours here. Narrows `Capabilities.mayApprove`. */
  readonly mayApprove?: false;
}

export interface PullDigest {
  readonly pull: PullRef;
  /** Equal as long as nothing happened that this endpoint can tell. */
  readonly digest: string;
}

export interface ReviewSubmission {
  readonly pull: PullRef;
  readonly head: HeadSha;
  readonly event: Verdict;
  readonly body: string;
  readonly remarks: readonly ReviewRemark[];
}

/** Within one hunk. Forges that know single lines only show it at the last one. */
export interface ReviewRemark {
  readonly path: string;
  readonly side: Side;
  readonly lines: { readonly first: number; readonly last: number };
  readonly body: string;
}

export interface GateAnnotation {
  readonly path: string;
  readonly lines: { readonly first: number; readonly last: number };
  readonly level: "notice" | "warning" | "failure";
  readonly words: string;
}

export interface ClaimOutcome {
  readonly kind: "claimed" | "held";
  readonly claim: string;
  /** By the forge's clock. */
  readonly ageMs: number;
}

/** Another account's check of this name is not ours. */
export const usualGateName = "drover";

/** People see one of them while a run works. A long run changes from one to the other, so there is always one. */
export const claimSigns = ["rocket", "hooray"] as const satisfies readonly Reaction["content"][];
export type ClaimSign = (typeof claimSigns)[number];

export type MergeOutcome =
  | { readonly kind: "merged"; readonly commit: HeadSha }
  | { readonly kind: "head_moved" }
  /** The forge merges when its conditions are met. Asking again changes nothing. Only where the adapter is set to do so. */
  | { readonly kind: "handed_over"; readonly to: "queue" | "auto_merge" }
  /** The forge gave up the delegated merge: its queue rejected it, or a person took it out. */
  | { readonly kind: "handed_back" }
  /** A conflict, a rule of the forge, or too early after a push: nothing happened, look again. */
  | { readonly kind: "not_now"; readonly why: string };

export type ForgeErrorKind =
  | "rate_limited"
  | "not_found"
  | "forbidden"
  /** May do this, but not approve: from now on `PullSeen.mayApprove` says so. */
  | "may_not_approve"
  | "unauthorized"
  | "conflict"
  /** Asking the same again will not help. */
  | "refused"
  | "unavailable"
  | "malformed";

/** Branch on `kind`, and for writes on `isApplied`. The message is for people. */
export class ForgeError extends Error {
  readonly kind: ForgeErrorKind;
  /** `no`: certainly not done. `unknown`: it may have happened, or may yet. */
  readonly isApplied: "no" | "unknown";
  /** On this machine's clock; null where the forge said nothing. */
  readonly retryAt: Instant | null;
  readonly isUnreached: boolean;

  constructor(
    kind: ForgeErrorKind,
    message: string,
    facts: {
      readonly isApplied: "no" | "unknown";
      readonly retryAt?: Instant | null;
      readonly cause?: unknown;
      readonly isUnreached?: boolean;
    },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "ForgeError";
    this.kind = kind;
    this.isApplied = facts.isApplied;
    this.retryAt = facts.retryAt ?? null;
    this.isUnreached = facts.isUnreached ?? false;
  }
}

export const openPullsMax = 5_000;
