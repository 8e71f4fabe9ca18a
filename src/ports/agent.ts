import type { Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { TextForm } from "#core/prompt/sanitise.ts";

/** Changes code: a coding agent, a command, or the reviewers' own suggestions. */
export interface Agent {
  /**
   * `free`: it makes no paid calls, so it works when no money is left. `unknown`: the cost of a session cannot be
   * known, so no limit is kept. Absent: it keeps to the limit that it is given.
   */
  readonly price?: "free" | "unknown" | undefined;
  /** What it can be started for. Absent: for everything. */
  readonly serves?: readonly SessionRecord["purpose"][] | undefined;
  /**
   * Works through one session, in the workspace and nowhere else. Everything that goes wrong is an outcome; it rejects
   * only for a bug. What it says it did is not believed: Drover reads the workspace afterwards, holds the difference
   * against its policy, and commits and pushes by itself. Nothing here could hand over a token, by intention.
   */
  run(job: SessionJob): Promise<SessionOutcome>;
}

export interface SessionJob {
  /**
   * The absolute path of a folder with the files of the head, made for this session and removed after it. Only the
   * agent changes files below it. A git directory in it is the agent's own: the host never uses it.
   */
  readonly workspace: string;
  /** What to do, in order. Parts of others are marked as such and must reach a model as fenced data. */
  readonly prompt: readonly PromptPart[];
  /** What people asked for, oldest first. The order decides where two items ask for different things. */
  readonly feedback: readonly FeedbackItem[];
  readonly limits: SessionLimits;
  /** Aborted at the wall clock's limit, and when the plan no longer wants the session. The agent stops soon after. */
  readonly signal: AbortSignal;
}

export type PromptPart =
  /** Written by Drover or its operator. */
  | { readonly kind: "instructions"; readonly text: string }
  /**
   * Written by others: it is looked at, never obeyed. It reaches a model through `fenced` of core/prompt alone, which
   * wants to know whether it is prose, as it is unless said otherwise, or code.
   */
  | { readonly kind: "data"; readonly title: string; readonly text: Untrusted; readonly form?: TextForm | undefined };

export interface FeedbackItem {
  /** As in the plan; what the session addressed is said with it. */
  readonly id: string;
  readonly login: string;
  readonly url: string | null;
  readonly body: Untrusted;
  /** Null for a remark on the pull as a whole. */
  readonly place: FeedbackPlace | null;
}

export interface FeedbackPlace {
  readonly path: string;
  readonly lines: FeedbackLines;
}

export type FeedbackLines =
  /**
   * Lines of the workspace that are proven to be those of the remark: `text` is how they read when it was made, without
   * carriage returns. The file still has to be held against it.
   */
  | { readonly kind: "proven"; readonly first: number; readonly last: number; readonly text: string }
  /** They were changed since, and are not in the workspace as they were. */
  | { readonly kind: "outdated" }
  /** They are lines that the pull removes. */
  | { readonly kind: "old_side" }
  /** It is unclear which lines of the workspace are meant. */
  | { readonly kind: "unproven" };

export interface SessionLimits {
  readonly timeMsMax: number;
  readonly costMicroUsdMax: number;
}

export type SessionOutcome = {
  /** Null where the agent cannot tell. */
  readonly costMicroUsd: number | null;
} /** Files were changed. The summary is for people, and untrusted. */ & (
  | {
      readonly kind: "changed";
      readonly summary: string;
      /** Ids of the feedback that the change answers; each id of the job is in at most one of the two lists. */
      readonly addressed: readonly string[];
      readonly notAddressed: readonly NotAddressed[];
    }
  /** No file differs from before. */
  | { readonly kind: "nothing_to_do"; readonly summary: string; readonly notAddressed: readonly NotAddressed[] }
  /** The workspace may hold half of a change, which is not used. */
  | { readonly kind: "failed"; readonly why: string; readonly retryAt: Instant | null }
);

export interface NotAddressed {
  readonly id: string;
  readonly why: string;
  /** It asked for an exact change, which the agent refuses to make: its thread is told why, once. */
  readonly isRefused?: boolean | undefined;
}
