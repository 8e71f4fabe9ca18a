import type { Account, Permission } from "#core/model/account.ts";
import type { Check, Comment, Reaction, Review, Thread } from "#core/model/conversation.ts";
import type { CommentId, HeadSha, ReviewId, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import type { ServedCall, ServedView } from "#forges/sandbox/call-endpoint.ts";
import type { EndpointResponse } from "#forges/sandbox/wire.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge, ReviewRemark } from "#ports/forge.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

/** On the repositories of a `GitHost`: the reference model of the real forges' quirks and faults, each switchable. */
export interface Sandbox {
  readonly manner: SandboxManner;

  addAccount(made: { readonly login: string; readonly kind: Account["kind"] }): Account;
  createRepository(made: {
    readonly name: string;
    readonly by: Account;
    readonly files: HostChanges;
  }): Promise<RepositoryRef>;
  setPermission(request: {
    readonly repository: RepositoryRef;
    readonly account: Account;
    readonly permission: Exclude<Permission, "undetermined">;
  }): void;

  as(account: Account): SandboxPerson;

  /** For a program with this account's token, with quirks, lag and faults. The clock is that of its machine. */
  clientOf(account: Account, clock?: Clock, gateName?: string): Forge;

  serve<Body>(asked: ServedCall, work: (look: ServedView) => Promise<Body>): Promise<EndpointResponse<Body>>;

  /** The truth, without lag. A push behind the forge's back shows after the next call of anybody. */
  look(pull: PullRef): SandboxPull;

  readonly history: readonly SandboxChange[];

  /** What the network does to them (losing, doubling) is the listener's to simulate. */
  subscribe(listener: (delivery: SandboxDelivery) => void): void;
  /** GitHub keeps them for redelivery, Gitea does not. */
  readonly deliveries: readonly SandboxDelivery[];
  redeliver(id: string): void;
}

export type SandboxManner = "github" | "gitea";

/** What the forge would not allow is an Error. */
export interface SandboxPerson {
  push(request: {
    readonly repository: RepositoryRef;
    readonly branch: string;
    readonly changes: HostChanges;
    readonly message: string;
    readonly from?: HeadSha;
  }): Promise<HeadSha>;
  forcePush(request: {
    readonly repository: RepositoryRef;
    readonly branch: string;
    readonly to: HeadSha;
  }): Promise<void>;
  /** Onto the tip of the base: a new head with the same patch. */
  rebase(pull: PullRef): Promise<HeadSha>;

  openPull(request: {
    readonly repository: RepositoryRef;
    readonly branch: string;
    readonly base: string;
    readonly title: string;
    readonly body: string;
    readonly isDraft?: boolean;
  }): Promise<PullRef>;
  editPull(
    pull: PullRef,
    change: {
      readonly title?: string;
      readonly body?: string;
      readonly base?: string;
      readonly isDraft?: boolean;
      readonly state?: "open" | "closed";
      readonly labels?: readonly string[];
    },
  ): Promise<void>;
  merge(pull: PullRef): Promise<void>;

  comment(pull: PullRef, body: string): Promise<CommentId>;
  editComment(pull: PullRef, comment: CommentId, body: string): Promise<void>;
  deleteComment(pull: PullRef, comment: CommentId): Promise<void>;
  review(
    pull: PullRef,
    made: {
      readonly event: "approve" | "request_changes" | "comment";
      readonly body: string;
      readonly remarks?: readonly ReviewRemark[];
    },
  ): Promise<ReviewId>;
  dismissReview(pull: PullRef, review: ReviewId): Promise<void>;
  reply(pull: PullRef, thread: ThreadId, body: string): Promise<CommentId>;
  resolveThread(pull: PullRef, thread: ThreadId): Promise<void>;
  react(pull: PullRef, content: Reaction["content"]): Promise<void>;
  unreact(pull: PullRef, content: Reaction["content"]): Promise<void>;

  report(request: {
    readonly repository: RepositoryRef;
    readonly commit: HeadSha;
    readonly name: string;
    readonly state: Check["state"];
  }): Promise<void>;
}

export interface SandboxPull {
  readonly ref: PullRef;
  readonly pull: Pull;
  readonly comments: readonly Comment[];
  readonly reviews: readonly Review[];
  /** Per account the last review that judged and was not dismissed. */
  readonly verdicts: readonly { readonly by: Account; readonly event: "approve" | "request_changes" }[];
  readonly threads: readonly Thread[];
  readonly reactions: readonly Reaction[];
  readonly commentReactions: readonly (Reaction & { readonly comment: CommentId })[];
  readonly checks: readonly Check[];
  readonly gates: readonly {
    readonly by: Account;
    readonly head: HeadSha;
    readonly state: "pending" | "success" | "failure" | "neutral";
    readonly words: string;
    readonly at: Instant;
  }[];
  readonly merged: {
    readonly by: Account;
    readonly head: HeadSha;
    readonly commit: HeadSha;
    readonly at: Instant;
  } | null;
}

export interface SandboxChange {
  readonly at: Instant;
  readonly by: Account;
  readonly repository: RepositoryRef;
  readonly pull: PullRef | null;
  readonly what:
    | { readonly kind: "pushed"; readonly branch: string; readonly from: HeadSha | null; readonly to: HeadSha }
    | { readonly kind: "opened"; readonly head: HeadSha; readonly base: string; readonly body: string }
    | { readonly kind: "head_changed"; readonly from: HeadSha; readonly to: HeadSha }
    | {
        readonly kind: "pull_edited";
        readonly fields: readonly string[];
        readonly faces?: { readonly before: PullFace; readonly after: PullFace };
      }
    | { readonly kind: "merged"; readonly head: HeadSha; readonly commit: HeadSha; readonly base: string }
    | {
        readonly kind: "commented";
        readonly comment: CommentId;
        readonly thread: ThreadId | null;
        readonly body: string;
      }
    | { readonly kind: "comment_edited"; readonly comment: CommentId; readonly before: string; readonly body: string }
    | { readonly kind: "comment_deleted"; readonly comment: CommentId }
    | {
        readonly kind: "reviewed";
        readonly review: ReviewId;
        readonly event: "approve" | "request_changes" | "comment";
        readonly head: HeadSha;
        readonly body: string;
        readonly threads: readonly ThreadId[];
      }
    | { readonly kind: "review_edited"; readonly review: ReviewId; readonly before: string; readonly body: string }
    | { readonly kind: "review_dismissed"; readonly review: ReviewId }
    | { readonly kind: "pending_review_left"; readonly review: ReviewId }
    | { readonly kind: "pending_review_discarded"; readonly review: ReviewId }
    | { readonly kind: "thread_resolved" | "thread_unresolved"; readonly thread: ThreadId }
    | { readonly kind: "reacted"; readonly comment: CommentId | null; readonly content: Reaction["content"] }
    | { readonly kind: "unreacted"; readonly comment: CommentId | null; readonly content: Reaction["content"] }
    | { readonly kind: "reported"; readonly commit: HeadSha; readonly name: string; readonly state: Check["state"] }
    | {
        readonly kind: "gate_set";
        readonly head: HeadSha;
        readonly state: "pending" | "success" | "failure" | "neutral";
        readonly words: string;
      }
    | { readonly kind: "review_requested"; readonly of: readonly Account[] };
}

export interface PullFace {
  readonly title: string;
  readonly isDraft: boolean;
  readonly base: string;
  readonly labels: readonly string[];
  readonly state: Pull["state"];
}

export interface SandboxDelivery {
  /** As GitHub's GUID: the same on redelivery. */
  readonly id: string;
  readonly at: Instant;
  readonly event: string;
  readonly action: string;
  readonly pull: PullRef;
}

/** The manner's quirks in FACTS; each can be switched off. */
export interface SandboxQuirks {
  /** A force-push re-points the commit of earlier reviews at the new head (GitHub). */
  readonly repointsReviews: boolean;
  /** One remark outside the diff refuses the whole review (GitHub); else anything is accepted and shown nowhere (Gitea). */
  readonly refusesForeignAnchors: boolean;
  /** An event that is not one of its own words makes a pending review, with a success (Gitea). */
  readonly unknownEventIsPending: boolean;
  /** A submission that failed half-way leaves a pending review whose remarks leak into the next one (Gitea). */
  readonly leaksPendingReviews: boolean;
  /** The list of reviews goes on returning the text of the first submission; the timeline has the new one (Gitea). */
  readonly listsOriginalBodies: boolean;
  /** `opened` is followed at once by a `synchronized` of the same head (Gitea). */
  readonly sendsSpuriousSynchronized: boolean;
  /** A body-only edit of the pull sends no webhook (Gitea). */
  readonly hidesBodyEdits: boolean;
  /** Whether a pull can be merged is unknown for this long after a push; a merge meanwhile is answered with 405. */
  readonly mergeabilityDelayMs: number;
  readonly cutsTimesToSeconds: boolean;
  /** Does not tell who pushed when, nor the history of the description (Gitea). */
  readonly hidesPushTimes: boolean;
  /** The permission of others is not told unless the asker is an admin (Gitea): 403. */
  readonly hidesPermissions: boolean;
  /** Does not tell people from bots: everybody looks like a person (Gitea). */
  readonly hidesAccountKinds: boolean;
  /** Threads can be resolved (GitHub, Gitea from 1.26); else 405 (Forgejo). */
  readonly resolvesThreads: boolean;
  /** Else the text of a review takes none (earlier versions). */
  readonly reactsToReviews: boolean;
  /** Threads follow their line through pushes, and have none once it is gone (GitHub); else they stay (Gitea). */
  readonly outdatesThreads: boolean;
  /** A remark may be about several lines (GitHub); else it is about the last one of them (Gitea). */
  readonly remarksOnRanges: boolean;
  /** Lines of the diff told with a remark; null: all from the top of the hunk. */
  readonly hunkLinesMax: number | null;
  /** More are refused until there is room again; null: no limit. */
  readonly writesPerMinuteMax: number | null;
  /** Per clock hour; more are refused until it is over; null: not counted, and not told. */
  readonly callsPerHourMax: number | null;
  /** 100 on GitHub, 50 on Gitea. */
  readonly pageSize: number;
}

export type SandboxFault =
  | { readonly kind: "lost_response" }
  /** 5xx: it is unknown whether the write was applied. */
  | { readonly kind: "server_error"; readonly isApplied: boolean }
  /** 403 or 429; the time to wait is told, or not. */
  | { readonly kind: "rate_limited"; readonly retryAfterMs: number | null }
  | { readonly kind: "timeout"; readonly isApplied: boolean }
  | { readonly kind: "expired_token" }
  | { readonly kind: "stale"; readonly ms: number };

export type SandboxFaultSource = (call: {
  readonly endpoint: string;
  readonly isWrite: boolean;
  readonly account: Account;
}) => SandboxFault | null;
