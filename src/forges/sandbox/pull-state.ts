import type { Side } from "#core/diff/hunk.ts";
import type { Account } from "#core/model/account.ts";
import type { Check, Comment, Reaction } from "#core/model/conversation.ts";
import type { CommentId, HeadSha, ReviewId, ThreadId, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { BodyEdit, Pull } from "#core/model/pull.ts";

/** A change makes a new value, so a stale read looks at an older one. Times are exact; what goes out is cut. */
export interface PullState {
  readonly title: Untrusted;
  readonly body: Untrusted;
  readonly bodyEdits: readonly BodyEdit[];
  readonly author: Account;
  readonly createdAt: Instant;
  /** Reactions do not move it, nor does a push to the base. */
  readonly changedAt: Instant;
  readonly state: Pull["state"];
  readonly isDraft: boolean;
  readonly head: HeadState;
  readonly heads: readonly HeadSha[];
  readonly base: { readonly branch: string; readonly since: Instant; readonly tip: HeadSha };
  /** Of head or base: mergeability is not known at once. */
  readonly movedAt: Instant;
  readonly labels: readonly string[];
  /** Until they have answered. Gitea lists a request among the reviews. */
  readonly requests: readonly { readonly id: ReviewId; readonly of: Account }[];
  readonly comments: readonly Comment[];
  readonly reviews: readonly ReviewState[];
  readonly threads: readonly ThreadState[];
  readonly reactions: readonly Reaction[];
  readonly commentReactions: readonly (Reaction & { readonly comment: CommentId })[];
  readonly merged: MergedState | null;
}

export interface HeadState {
  readonly sha: HeadSha;
  readonly branch: string;
  readonly isFork: boolean;
  readonly pushedAt: Instant;
}

export interface MergedState {
  readonly by: Account;
  readonly head: HeadSha;
  readonly commit: HeadSha;
  readonly at: Instant;
}

export type ReviewEvent = "approve" | "request_changes" | "comment";

export interface ReviewState {
  readonly id: ReviewId;
  readonly author: Account;
  readonly state: { readonly kind: "pending"; readonly isBroken: boolean } | SubmittedState;
  readonly body: Untrusted;
  readonly originalBody: Untrusted;
  readonly bodyComment: CommentId;
  readonly createdAt: Instant;
  /** What the forge says was reviewed; a force-push may re-point it. */
  readonly commit: HeadSha;
}

export interface SubmittedState {
  readonly kind: "submitted" | "dismissed";
  readonly event: ReviewEvent;
  readonly at: Instant;
}

export interface ThreadState {
  readonly id: ThreadId;
  readonly review: ReviewId;
  readonly path: string;
  readonly side: Side;
  /** Null where a push took the last or first line away. */
  readonly line: number | null;
  readonly startLine: number | null;
  readonly remarked: RemarkedState;
  readonly isResolved: boolean;
  /** Its line is not in the diff: accepted, and shown nowhere. */
  readonly isLost: boolean;
  readonly comments: readonly Comment[];
}

export interface RemarkedState {
  readonly commit: HeadSha;
  readonly lines: { readonly first: number; readonly last: number };
  /** Up to the remark's last line; empty where that is not in the diff. */
  readonly hunk: string;
}

/** On a commit, not on a pull. Reported anew with each change; the last one counts. */
export interface StatusState {
  readonly form: "status" | "check_run";
  readonly name: string;
  readonly by: Account;
  readonly commit: HeadSha;
  readonly state: Check["state"] | "neutral";
  readonly words: string;
  readonly at: Instant;
  /** It came through a client rather than from a CI. */
  readonly isGate: boolean;
}

export function isPending(review: ReviewState): boolean {
  return review.state.kind === "pending";
}

/** What belongs to a pending review is seen by its author alone. */
export function isVisibleTo({ reviews }: PullState, thread: ThreadState, asker: Account): boolean {
  const review = reviews.find((candidate) => candidate.id === thread.review);
  return review === undefined || !isPending(review) || review.author.id === asker.id;
}

export function replaceItem<Item>(items: readonly Item[], old: Item, fresh: Item): readonly Item[] {
  return items.map((item) => (item === old ? fresh : item));
}
