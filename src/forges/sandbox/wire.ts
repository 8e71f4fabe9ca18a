import type { GiteaPosition, GithubPosition } from "#core/diff/position.ts";
import type { Permission } from "#core/model/account.ts";
import type { Reaction } from "#core/model/conversation.ts";
import type { AccountId, CommentId, HeadSha, ReviewId, ThreadId, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { BodyEdit, Pull } from "#core/model/pull.ts";

export type EndpointResponse<Body> =
  | { readonly kind: "success"; readonly date: Instant; readonly body: Body }
  | {
      readonly kind: "refusal";
      readonly status: number;
      readonly message: string;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: "silence" };

export interface WirePage<Item> {
  readonly items: readonly Item[];
  readonly hasNext: boolean;
}

export interface WireUser {
  readonly id: AccountId;
  readonly login: string;
  readonly type: "User" | "Bot" | undefined;
}

export interface WirePull {
  readonly number: number;
  readonly title: Untrusted;
  readonly body: Untrusted;
  readonly user: WireUser;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly merge_commit_sha: HeadSha | null;
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly comments: number;
  readonly head: {
    readonly sha: HeadSha;
    readonly ref: string;
    readonly is_fork: boolean;
    /** From the events of the pull; Gitea has no such time. */
    readonly pushed_at: Instant | null;
  };
  readonly base: { readonly ref: string; readonly since: Instant };
  readonly mergeable: Pull["mergeability"]["kind"];
  readonly requested_reviewers: readonly WireUser[];
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly body_edits: readonly BodyEdit[];
}

export interface WireComment {
  readonly id: CommentId;
  readonly user: WireUser;
  readonly body: Untrusted;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface WireReview {
  readonly id: ReviewId;
  readonly user: WireUser;
  /** GitHub: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING. Gitea: APPROVED, REQUEST_CHANGES, COMMENT, PENDING, REQUEST_REVIEW. */
  readonly state: string;
  /** Gitea keeps the verdict and says it here. */
  readonly dismissed: boolean;
  readonly body: Untrusted;
  readonly commit_id: HeadSha;
  readonly submitted_at: Instant | null;
  readonly comments_count: number;
  /** Gitea's address of a review ends in it: `#issuecomment-12`. */
  readonly body_comment: CommentId | null;
}

export interface WireThreadComment extends WireComment {
  readonly is_pending: boolean;
}

/** GitHub's GraphQL alone knows threads. */
export interface WireThread {
  readonly id: ThreadId;
  readonly path: string;
  readonly line: number | null;
  readonly diff_side: "LEFT" | "RIGHT";
  readonly original_line: number;
  readonly original_start_line: number | null;
  readonly original_commit: HeadSha;
  readonly diff_hunk: string;
  readonly is_resolved: boolean;
  readonly comments: WirePage<WireThreadComment>;
}

export interface WireReviewComment extends WireComment {
  readonly conversation: ThreadId;
  readonly path: string;
  /** Lines of the file as it was, new and old: one of the two is 0. */
  readonly position: number;
  readonly original_position: number;
  readonly diff_hunk: string;
  readonly resolver: WireUser | null;
}

export interface WireTimelineEntry {
  readonly type: "comment" | "review";
  readonly id: CommentId;
  readonly review_id: ReviewId | null;
  readonly body: Untrusted;
}

export interface WireReaction {
  readonly user: WireUser;
  readonly content: Reaction["content"];
  readonly created_at: Instant;
}

export interface WireStatus {
  readonly context: string;
  readonly creator: WireUser;
  readonly state: "pending" | "success" | "failure";
  readonly description: string;
  readonly created_at: Instant;
}

export interface WireCheckRun {
  readonly name: string;
  readonly app: WireUser;
  readonly status: "in_progress" | "completed";
  readonly conclusion: "success" | "failure" | "neutral" | null;
  readonly output: { readonly title: string; readonly summary: string };
  readonly started_at: Instant;
}

export interface WireDigest {
  readonly number: number;
  readonly head: HeadSha;
  readonly updated_at: Instant;
  readonly mergeable: Pull["mergeability"]["kind"];
  readonly comments: number;
  readonly reviews: number;
  readonly reactions: string;
  readonly rollup: string;
}

export type WirePermission = Exclude<Permission, "undetermined">;

export interface WireReviewRequest {
  readonly number: number;
  readonly commit_id: HeadSha;
  readonly body: string;
  /** GitHub: APPROVE, REQUEST_CHANGES, COMMENT. Gitea: APPROVED, REQUEST_CHANGES, COMMENT. None: pending. */
  readonly event: string | undefined;
  readonly comments: readonly ((GithubPosition | GiteaPosition) & { readonly body: string })[];
}
