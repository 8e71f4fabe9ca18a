import type { Approval } from "#core/approval/approval.ts";
import type { Command, MalformedCommand } from "#core/commands/command.ts";
import type { NotedTimes } from "#core/decision/action.ts";
import type { Account } from "#core/model/account.ts";
import type { Comment, Thread } from "#core/model/conversation.ts";
import type { DelegatedMerge } from "#core/model/delegated-merge.ts";
import type { Finding } from "#core/model/finding.ts";
import type { AccountId, CommentId, FindingId, HeadSha, SessionId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { LimitName } from "#core/model/limits.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type {
  CommandRecord,
  Coverage,
  FeedbackRecord,
  ReviewRun,
  ReviewTrigger,
  SessionRecord,
} from "#core/model/records.ts";
import { isComplete } from "#core/review/coverage.ts";

export interface Situation {
  readonly heads: Heads;
  readonly timesToRecord: NotedTimes | null;
  readonly suppression: Suppression;
  readonly commands: readonly SaidCommand[];
  readonly hints: readonly Hint[];
  readonly conversation: Conversation;
  readonly review: ReviewSituation;
  readonly findings: Findings;
  readonly feedback: readonly Feedback[];
  readonly feedbackChange: FeedbackChange | null;
  readonly fixing: Fixing;
  readonly approval: Approval;
  readonly hold: Hold;
  readonly gate: Gate;
  readonly merge: MergeReadiness;
  readonly flightPlan: FlightPlan;
}

export interface Heads {
  readonly current: HeadSeen;
  readonly history: readonly HeadSeen[];
  readonly toRecord: HeadSeen | null;
}

export type SuppressionSource =
  | { readonly kind: "repository" }
  | { readonly kind: "description"; readonly by: AccountId; readonly isWriter: boolean }
  | { readonly kind: "command"; readonly by: AccountId; readonly isWriter: boolean; readonly comment: CommentId };

export type Suppression =
  | { readonly kind: "enabled"; readonly why: "repository" | "expired" }
  | { readonly kind: "enabled"; readonly why: "command"; readonly isWriter: boolean }
  | { readonly kind: "disabled"; readonly source: SuppressionSource }
  | {
      readonly kind: "disabled_until";
      readonly until: Instant;
      readonly source: SuppressionSource;
      /** What holds after the suppression: the step before it. */
      readonly next: Suppression;
    };

export type RefusalReason =
  | "needs_write"
  | "undetermined"
  | "outsider_budget"
  | "merging_is_off"
  | "fork"
  | "closed"
  /** What it would release was said after the comment and before its edit: which came last is unknown. */
  | "edited_after_restraint";

export type CommandStanding =
  | { readonly kind: "consumed"; readonly outcome: CommandRecord["outcome"] }
  | { readonly kind: "fresh"; readonly ruling: Ruling };

export type Ruling =
  | { readonly kind: "obey" }
  | { readonly kind: "refuse"; readonly why: RefusalReason }
  /** The head that its author saw is gone, or cannot be proven. */
  | { readonly kind: "void" }
  /** Permitted, but there is nothing that it could be obeyed on. */
  | { readonly kind: "nothing_to_do" }
  /** Said in the very second of the observation: the next look can tell which head its author saw. */
  | { readonly kind: "wait" }
  | { readonly kind: "malformed"; readonly problem: string };

export interface SaidCommand {
  readonly comment: CommentId;
  readonly by: Account;
  readonly isWriter: boolean;
  readonly at: Instant;
  readonly head: HeadSeen | null;
  readonly command: Command | MalformedCommand;
  readonly standing: CommandStanding;
}

export interface Hint {
  /** `near_miss`: almost the command of that word. `edited_command`: that word was dealt with before the edit. */
  readonly kind: "near_miss" | "edited_command";
  readonly comment: CommentId;
  readonly by: AccountId;
  readonly word: CommandRecord["word"];
}

export interface Conversation {
  readonly unclassified: readonly Addressed[];
  readonly questions: readonly Question[];
  readonly disputes: readonly Dispute[];
  readonly reviewRequests: readonly Addressed[];
  readonly failed: readonly FailedAnswer[];
  readonly retryAt: Instant | null;
  /** Over the quota of people without write permission: no model is asked about them. */
  readonly unanswered: readonly Addressed[];
  /** Other bots have said too much in a row, and the last of it was not heard. */
  readonly isLooping: boolean;
}

export interface FailedAnswer extends Addressed {
  readonly why: string;
}

export interface Addressed {
  readonly remark: Comment;
  readonly revision: string;
  readonly thread: Thread | null;
}

export interface Question extends Addressed {
  /** It is edited, not repeated. */
  readonly earlierAnswer: CommentId | null;
}

/** With all replies that wait, since some arrive while others are answered. */
export interface Dispute {
  readonly thread: Thread;
  readonly finding: Finding;
  readonly replies: readonly Addressed[];
}

export interface ReviewSituation {
  readonly automatic: AutomaticReview;
  readonly roles: readonly RoleSituation[];
  readonly toStart: readonly RunToStart[];
  readonly toCancel: readonly RunToCancel[];
  readonly toDismiss: readonly CommentId[];
  readonly toComplete: readonly CommentId[];
  readonly pendingManual: readonly ManualRequest[];
  readonly failedManual: readonly FailedRequest[];
  readonly overBudget: readonly ManualRequest[];
  readonly retryAt: Instant | null;
}

export type AutomaticReview =
  | { readonly kind: "wanted" }
  | { readonly kind: "not_wanted"; readonly why: "closed" | "draft" | "suppressed" | "cancelled" };

export type RoleSituation = { readonly role: string } & (
  | {
      readonly kind: "completed";
      readonly run: ReviewRun;
      /** Of the last look that read the whole head, or of the last one; `findings` has what was found since then. */
      readonly coverage: Coverage;
      readonly findings: readonly FindingId[];
    }
  | { readonly kind: "running"; readonly run: ReviewRun }
  | { readonly kind: "retrying"; readonly at: Instant; readonly why: string }
  | { readonly kind: "given_up"; readonly why: string; readonly trigger: ReviewTrigger }
  | { readonly kind: "unreviewed" }
  /** The role costs money, and the quota of an author without write permission is used up. */
  | ({ readonly kind: "unpaid" } & UsedReviews)
);

export interface UsedReviews {
  readonly used: number;
  readonly max: number;
}

export interface ManualRequest {
  readonly comment: CommentId;
  readonly by: AccountId;
  readonly at: Instant;
}

/** Given up: its author is told, and it is not tried again by itself. */
export interface FailedRequest extends ManualRequest {
  readonly role: string;
  readonly why: string;
}

export interface RunToStart {
  readonly role: string;
  readonly trigger: ReviewTrigger;
  readonly why: "new_head" | "restarted" | "retried" | "requested";
  /** Of this role against this base branch; the first complete look is round one. */
  readonly round: number;
  /** Counts from 1; grows only with looks that failed. */
  readonly attempt: number;
  /** The start of the look that this one follows: tells a restart from what it restarts. Null for the first. */
  readonly follows: Instant | null;
}

export interface RunToCancel {
  readonly run: ReviewRun;
  readonly why: "newer_head" | "suppression" | "command" | "closed" | "role_removed";
}

export interface Findings {
  readonly all: readonly Finding[];
  readonly open: readonly Finding[];
  readonly blockers: readonly Finding[];
  readonly toClose: readonly Finding[];
}

export interface Feedback {
  readonly id: string;
  readonly author: AccountId;
  readonly login: string;
  readonly at: Instant;
  readonly writtenAt: Instant;
  /** The same for texts that ask for the same. */
  readonly meaning: string;
  readonly kind: "comment" | "thread" | "review";
}

export interface FeedbackChange {
  readonly received: readonly string[];
  readonly addressed: readonly string[];
  readonly next: FeedbackRecord;
}

export interface SessionAllowance {
  readonly uptoMicroUsd: number | null;
  readonly limitMs: number | null;
}

/** Keeps a session from beginning and from pushing, until people take it back. */
export type KeepsFromFixing = "held" | "draft" | "eyes" | "approved";

export type Fixing =
  | { readonly kind: "off"; readonly why: "not_configured" | "stopped" | "fork" | "closed" | KeepsFromFixing }
  | { readonly kind: "idle" }
  | {
      readonly kind: "start";
      readonly purpose: SessionRecord["purpose"];
      readonly feedback: readonly string[];
      readonly allowance: SessionAllowance;
    }
  | {
      readonly kind: "running";
      readonly session: SessionId;
      readonly toSend: readonly string[];
      readonly mustStop: boolean;
    }
  | {
      readonly kind: "waiting";
      readonly why: "quiet" | "back_off";
      readonly until: Instant;
      readonly trouble: SessionTrouble | null;
    }
  | { readonly kind: "exhausted"; readonly why: "rounds" }
  | { readonly kind: "exhausted"; readonly why: "attempts"; readonly trouble: SessionTrouble };

export interface SessionTrouble {
  /** People are called once for each; of further causes they are only told. */
  readonly subject: string;
  readonly cause: string;
  readonly count: number;
  /** No agent has begun, so no attempt was used up. */
  readonly isUnbegun: boolean;
}

export type Hold =
  | { readonly kind: "free" }
  | { readonly kind: "held"; readonly by: string; readonly comment: CommentId };

export type Gate = { readonly head: HeadSha } & (
  | { readonly state: "success" }
  | { readonly state: "failure"; readonly why: "blockers" | "given_up"; readonly count: number }
  /** A job with the same account and another secret asks for changes. */
  | { readonly state: "failure"; readonly why: "unsigned_request" }
  | { readonly state: "neutral"; readonly why: "suppressed" | "partial" | "partial_waived" }
  | {
      readonly state: "pending";
      readonly why: "reviewing" | "closed" | "draft" | "suppressed_by_author" | "partial" | "cancelled" | "retrying";
    }
  | ({ readonly state: "pending"; readonly why: "outsider_budget" } & UsedReviews)
);

export type Party = "author" | "reviewers" | "maintainers" | "ci" | "forge" | "drover" | "nobody";

export type Condition = { readonly isMet: boolean; readonly turn: Party } & (
  | { readonly kind: "open"; readonly state: "open" | "closed" | "merged" }
  | { readonly kind: "whole_view"; readonly cut: readonly LimitName[]; readonly partlyRead: readonly Account[] }
  | { readonly kind: "ready_for_review" }
  | { readonly kind: "gate"; readonly gate: Gate }
  | { readonly kind: "approval"; readonly approval: Approval }
  | {
      readonly kind: "checks";
      readonly failed: readonly string[];
      readonly pending: readonly string[];
      readonly total: number;
    }
  | { readonly kind: "mergeable"; readonly mergeability: "unknown" | "mergeable" | "conflicting" }
  | { readonly kind: "no_hold"; readonly hold: Hold }
  | {
      readonly kind: "merge_wanted";
      readonly when: "never" | "on_command" | "when_approved";
      /** What the forge was handed and gave back; it is not wanted again by itself. */
      readonly givenBack: DelegatedMerge | null;
    }
);

export type MergeReadiness =
  | { readonly kind: "off" }
  | { readonly kind: "waiting"; readonly missing: readonly Condition["kind"][] }
  | { readonly kind: "ready"; readonly head: HeadSha; readonly wish: DelegatedMerge["wish"] }
  | { readonly kind: "queued"; readonly head: HeadSha; readonly wish: DelegatedMerge["wish"] }
  | { readonly kind: "done" };

export interface FlightPlan {
  readonly conditions: readonly Condition[];
  readonly turn: Party;
}

export function isReadWhole(role: RoleSituation): boolean {
  return role.kind === "completed" && isComplete(role.coverage);
}
