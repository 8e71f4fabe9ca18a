import type { Gate, Hint, RunToCancel, RunToStart, SessionAllowance } from "#core/decision/situation.ts";
import type { DelegatedMerge } from "#core/model/delegated-merge.ts";
import type { ActionKey, CommentId, FindingId, HeadSha, ReviewId, SessionId, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type {
  ApprovalRecord,
  CommandRecord,
  FeedbackRecord,
  Records,
  ReviewTrigger,
  SessionRecord,
  StatusRecord,
} from "#core/model/records.ts";
import type { ReviewUpdate } from "#core/review/review-update.ts";

/** The same key is the same effect. Text is final but for state blocks, which need the secret. */
export type Action = { readonly key: ActionKey } & (
  | { readonly kind: "record_head"; readonly head: HeadSeen }
  | { readonly kind: "record_approval"; readonly approval: ApprovalRecord }
  | { readonly kind: "record_times"; readonly times: NotedTimes }
  | {
      readonly kind: "acknowledge";
      readonly record: CommandRecord;
      /** Null: the record alone says that it was dealt with. */
      readonly reaction: AckReaction | null;
      readonly text: string | null;
    }
  | { readonly kind: "hint"; readonly hint: Hint; readonly text: string }
  | {
      readonly kind: "classify";
      readonly comment: CommentId;
      readonly revision: string;
      readonly thread: ThreadId | null;
      readonly priority: 1 | 4;
    }
  | {
      readonly kind: "resolve_dispute";
      readonly thread: ThreadId;
      readonly finding: FindingId;
      readonly replies: readonly { readonly comment: CommentId; readonly revision: string }[];
      readonly priority: 1;
    }
  | {
      readonly kind: "answer";
      readonly comment: CommentId;
      readonly revision: string;
      readonly thread: ThreadId | null;
      readonly earlierAnswer: CommentId | null;
      readonly priority: 2;
    }
  | {
      readonly kind: "start_review";
      readonly head: HeadSha;
      readonly baseBranch: string;
      readonly role: string;
      readonly trigger: ReviewTrigger;
      readonly round: number;
      readonly attempt: number;
      readonly why: RunToStart["why"];
      readonly priority: 3;
    }
  | {
      readonly kind: "cancel_review";
      readonly head: HeadSha;
      readonly baseBranch: string;
      readonly role: string;
      readonly trigger: ReviewTrigger;
      readonly why: RunToCancel["why"];
    }
  | {
      readonly kind: "dismiss_manual_review";
      readonly comment: CommentId;
      readonly head: HeadSha;
      readonly text: string;
    }
  | {
      readonly kind: "complete_manual_review";
      readonly comment: CommentId;
      readonly head: HeadSha;
      readonly text: string | null;
    }
  | {
      readonly kind: "withdraw_approval";
      readonly role: string;
      readonly head: HeadSha;
      readonly review: ReviewId;
      readonly text: string;
      /** If the forge refuses the dismissal, a comment says so, unless a review of the role follows anyway. */
      readonly isFollowed: boolean;
    }
  | {
      readonly kind: "publish_review";
      readonly role: string;
      readonly head: HeadSha;
      readonly update: ReviewUpdate;
      readonly text: string;
      readonly standing: readonly FindingId[];
    }
  | { readonly kind: "close_finding"; readonly finding: FindingId; readonly thread: ThreadId; readonly text: string }
  | { readonly kind: "set_gate"; readonly head: HeadSha; readonly state: Gate["state"]; readonly text: string }
  | {
      readonly kind: "update_managed_comment";
      readonly comment: CommentId | null;
      readonly text: string;
      readonly digest: string;
    }
  | {
      readonly kind: "start_session";
      readonly head: HeadSha;
      readonly purpose: SessionRecord["purpose"];
      readonly feedback: readonly string[];
      readonly allowance: SessionAllowance;
    }
  | { readonly kind: "message_session"; readonly session: SessionId; readonly feedback: readonly string[] }
  | {
      readonly kind: "stop_session";
      readonly session: SessionId;
      readonly text: string | null;
    }
  | {
      readonly kind: "escalate";
      readonly severity: "info" | "warning" | "blocking";
      readonly to: readonly string[];
      readonly text: string;
    }
  /** The comment is edited to say that people are no longer called. */
  | { readonly kind: "take_back"; readonly escalation: ActionKey; readonly text: string }
  | { readonly kind: "enqueue_merge"; readonly head: HeadSha; readonly baseBranch: string }
  | { readonly kind: "dequeue_merge"; readonly head: HeadSha; readonly baseBranch: string }
  | ({ readonly kind: "merge" } & DelegatedMerge)
  | { readonly kind: "emit"; readonly event: StatusEvent; readonly next: StatusRecord }
  | {
      readonly kind: "emit_feedback";
      readonly received: FeedbackEvent;
      readonly addressed: FeedbackEvent;
      readonly next: FeedbackRecord;
    }
  | { readonly kind: "look_again"; readonly at: Instant }
);

export type ActionKind = Action["kind"];
export type ActionOf<Kind extends ActionKind> = Extract<Action, { readonly kind: Kind }>;

export type AckReaction = "+1" | "eyes" | "confused";

export type NotedTimes = Pick<Records, "marker" | "readySince">;

export interface FeedbackEvent {
  readonly remarks: readonly string[];
  readonly head: HeadSha;
  readonly at: Instant;
}

export interface StatusEvent {
  readonly from: StatusRecord["status"] | null;
  readonly to: StatusRecord["status"];
  readonly head: HeadSha;
  readonly at: Instant;
}
