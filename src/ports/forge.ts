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

/**
 * A forge as Drover needs it. Reads may be stale by up to a minute, and each endpoint by a different time. A write is
 * sent once: the adapter never repeats one by itself, for any response. All failures are `ForgeError`s.
 */
export interface Forge {
  /** Who the token belongs to, and what the forge in this version can do. May be asked once and kept for an hour. */
  fetchIdentity(): Promise<Identity>;

  /** The repository that has this name now: `owner/name`. Its id stays when it is renamed. */
  fetchRepository(name: string): Promise<RepositoryRef>;

  /**
   * What the forge's last response said about the calls that are left; null if it said nothing. It makes no call. If
   * there are several limits, the one for calls to this repository; without a repository the tightest of all.
   */
  findRateLimit(repository?: RepositoryRef): RateLimitStatus | null;

  /**
   * Everything that is to be seen of one pull, all pages, up to the limits of `core/model/limits.ts`: what was cut is
   * named. Lists have no order and may hold an element twice. Texts of reviews are those that people see now. A pending
   * review of the bot's own is listed as such; those of others are invisible.
   */
  fetchPull(pull: PullRef): Promise<FetchedPull>;

  /** What the permission endpoint says. `undetermined` where it would not tell; an error of the world is thrown. */
  fetchPermission(request: { readonly repository: RepositoryRef; readonly account: Account }): Promise<Permission>;

  /** All open pulls of a repository, cheaply; of more than `openPullsMax` so many at least. What has no webhook (reactions) must change the digest, where it can. */
  fetchOpenPulls(repository: RepositoryRef): Promise<readonly PullDigest[]>;

  /**
   * Where git fetches from and pushes to, with a credential that is good for some minutes. One for `read` may be refused a
   * push: where a forge has credentials of several rights, it is given one that can do no more than it is for.
   */
  fetchRemote(repository: RepositoryRef, use: RemoteUse): Promise<Remote>;

  createComment(request: {
    readonly pull: PullRef;
    readonly body: string;
    readonly urgency?: WriteUrgency;
  }): Promise<CommentId>;

  /** Changes a comment of the bot's own, in the conversation or in a thread. Twice is once. */
  editComment(request: {
    readonly pull: PullRef;
    readonly comment: CommentId;
    readonly body: string;
    readonly urgency?: WriteUrgency;
  }): Promise<void>;

  /**
   * On a comment, in the conversation or in a thread, or with `mayReactToReviews` on the text of a review, by the id that
   * `review-text.ts` gives it. Twice is once, on all forges.
   */
  addReaction(request: {
    readonly pull: PullRef;
    readonly comment: CommentId;
    readonly content: Reaction["content"];
  }): Promise<void>;

  /**
   * Puts a reaction on the pull that the bot's account can put there only once. Of several callers that ask for the same
   * sign at the same time, one alone is told `claimed`; the others are told `held`, and for how long it is.
   */
  claimPull(request: { readonly pull: PullRef; readonly sign: ClaimSign }): Promise<ClaimOutcome>;

  /**
   * Takes a claim away. Where the forge can tell claims apart, a later claim on the same pull stays. Twice is once.
   */
  releasePull(request: { readonly pull: PullRef; readonly claim: string; readonly sign: ClaimSign }): Promise<void>;

  /**
   * A review with its remarks, all or nothing. The caller makes sure that every remark lies in the diff of the head:
   * otherwise GitHub refuses the whole review, and Gitea shows the remark nowhere.
   */
  submitReview(request: ReviewSubmission): Promise<ReviewId>;

  /** Changes the text of a review of the bot's own. Only with `mayEditReviewBodies`. Twice is once. */
  editReview(request: { readonly pull: PullRef; readonly review: ReviewId; readonly body: string }): Promise<void>;

  /** Withdraws a verdict of the bot's own without deleting the review. Only with `mayDismissReviews`. Twice is once. */
  dismissReview(request: { readonly pull: PullRef; readonly review: ReviewId; readonly words: string }): Promise<void>;

  /** Removes a review of the bot's own that was never submitted; the leftover of a failed submission. Twice is once. */
  discardPendingReview(request: { readonly pull: PullRef; readonly review: ReviewId }): Promise<void>;

  replyInThread(request: {
    readonly pull: PullRef;
    readonly thread: ThreadId;
    readonly body: string;
  }): Promise<CommentId>;

  /** Only with `mayResolveThreads`. Twice is once. */
  resolveThread(request: { readonly pull: PullRef; readonly thread: ThreadId }): Promise<void>;

  /** Drover's own check or status on a commit. The last word counts; the same twice shows the same. */
  setGate(request: {
    readonly pull: PullRef;
    readonly head: HeadSha;
    readonly state: "pending" | "success" | "failure" | "neutral";
    readonly words: string;
    /** Shown beside the lines where the gate is a check run, and nowhere else. */
    readonly annotations?: readonly GateAnnotation[];
  }): Promise<void>;

  /**
   * Twice is once. Those to add come first, and may take a call of their own: where a later one fails, it may have
   * happened in part.
   */
  editLabels(request: {
    readonly pull: PullRef;
    readonly add: readonly string[];
    readonly remove: readonly string[];
  }): Promise<void>;

  /** Asks people for (another) look. Twice is once as long as they have not answered. */
  requestReviews(request: { readonly pull: PullRef; readonly reviewers: readonly Account[] }): Promise<void>;

  /**
   * Merges exactly this commit into the base branch that the pull has now, or nothing. With `isHandedOver`, which says that
   * an earlier call was answered so, it is not handed over anew.
   */
  merge(request: {
    readonly pull: PullRef;
    readonly head: HeadSha;
    readonly isHandedOver?: boolean;
  }): Promise<MergeOutcome>;
}

/** The kind of access to a remote. The right to push includes the right to read. */
export type RemoteUse = "read" | "push";

export interface RateLimitStatus {
  readonly limit: number;
  readonly left: number;
  /** When it is full again, on this machine's clock. */
  readonly resetAt: Instant;
}

/**
 * Who waits for a write, if writes have to wait for their turn. `people` have asked for something. `result` is for
 * readers of a gate, a review or a merge. `upkeep` is for no person in particular.
 */
export const writeUrgencies = ["people", "result", "upkeep"] as const;
export type WriteUrgency = (typeof writeUrgencies)[number];

/** The calls that leave something behind. */
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

/** What the forge itself can tell of a pull; the rest of an observation comes from git and the store. */
export interface FetchedPull
  extends Pick<
    Observation,
    "observedAt" | "pull" | "comments" | "reviews" | "threads" | "reactions" | "checks" | "gate" | "limitsReached"
  > {
  /**
   * When the pull was last changed, by the forge's own account. It never goes back on the forge: one that is older
   * than what was seen before is the sign of a stale read. Not every change moves it (reactions do not).
   */
  readonly changedAt: Instant;
  /** The ref under which git finds the head, also of a fork: `refs/pull/7/head`. */
  readonly headRef: string;
  /** False where the forge has refused an approval of ours in this repository. It narrows `Capabilities.mayApprove`. */
  readonly mayApprove?: false;
}

export interface PullDigest {
  readonly pull: PullRef;
  /** Equal as long as nothing has happened that this endpoint can tell. */
  readonly digest: string;
}

export interface ReviewSubmission {
  readonly pull: PullRef;
  readonly head: HeadSha;
  readonly event: Verdict;
  readonly body: string;
  readonly remarks: readonly ReviewRemark[];
}

/** On a range of lines of one side, within one hunk. Forges that know single lines only show it at the last one. */
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
  /** Names this claim for `releasePull`. */
  readonly claim: string;
  /** How long ago it was made, by the forge's clock. */
  readonly ageMs: number;
}

/** The check or status that is Drover's gate on a commit. Another account's check of this name is not ours. */
export const usualGateName = "drover";

/**
 * The two reactions that a claim can be. People see one of them on the pull for as long as a run works on it. A run that works
 * for long changes from one to the other, so that there is always one.
 */
export const claimSigns = ["rocket", "hooray"] as const satisfies readonly Reaction["content"][];
export type ClaimSign = (typeof claimSigns)[number];

export type MergeOutcome =
  | { readonly kind: "merged"; readonly commit: HeadSha }
  /** The head is another one by now. */
  | { readonly kind: "head_moved" }
  /**
   * Not merged yet: the forge was told to, and does it when its own conditions are met. Asking again for what was handed
   * over already changes nothing. Only where the adapter was set to do that.
   */
  | { readonly kind: "handed_over"; readonly to: "queue" | "auto_merge" }
  /** The merge was delegated, and the forge gave it up: its queue rejected it, or a person took it out. */
  | { readonly kind: "handed_back" }
  /** A conflict, a rule of the forge, or just too early after a push: nothing has happened, look again. */
  | { readonly kind: "not_now"; readonly why: string };

export type ForgeErrorKind =
  | "rate_limited"
  | "not_found"
  | "forbidden"
  /** The account may do this, but not approve. From now on `PullSeen.mayApprove` says so. */
  | "may_not_approve"
  /** The token is wrong or has expired. */
  | "unauthorized"
  /** Something moved meanwhile. */
  | "conflict"
  /** The request was understood and refused: asking the same again will not help. */
  | "refused"
  /** No answer, or one that says nothing: 5xx, timeouts, broken connections. */
  | "unavailable"
  /** An answer that does not read as what it should be. */
  | "malformed";

/** Branch on `kind`, and for writes on `isApplied`. The message is for people: forge, pull, call. */
export class ForgeError extends Error {
  readonly kind: ForgeErrorKind;
  /** `no`: the forge has certainly not done it. Everything else is `unknown`: it may have happened, or may yet. */
  readonly isApplied: "no" | "unknown";
  /** When the forge said that it may be asked again, on this machine's clock; null where it said nothing. */
  readonly retryAt: Instant | null;
  /** The forge cannot be reached: the message names its host, the cause and what to try. */
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

/** More open pulls than anybody polls. */
export const openPullsMax = 5_000;

/** What an incoming delivery says: where to look. */
export interface WebhookDelivery {
  /** The forge's own id of it, equal on redelivery; null where it has none. */
  readonly id: string | null;
  readonly pull: PullRef;
}
