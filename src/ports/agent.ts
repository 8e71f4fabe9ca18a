import type { Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { TextForm } from "#core/prompt/sanitise.ts";

export interface Agent {
  /** `free`: works with no money left. `unknown`: its cost cannot be known. Absent: it keeps to its limit. */
  readonly price?: "free" | "unknown" | undefined;
  readonly serves?: readonly SessionRecord["purpose"][] | undefined;
  /** Works in the workspace only. Failures are outcomes. Drover reads the result itself; nothing here may hand over a token. */
  run(job: SessionJob): Promise<SessionOutcome>;
}

export interface SessionJob {
  /** A folder made for this session. Only the agent changes it, and the host never uses a git directory in it. */
  readonly workspace: string;
  /** In order. Parts of others must reach a model as fenced data. */
  readonly prompt: readonly PromptPart[];
  /** Oldest first: the order decides where two items ask for different things. */
  readonly feedback: readonly FeedbackItem[];
  readonly limits: { readonly timeMsMax: number; readonly costMicroUsdMax: number };
  /** Aborted at the time limit, and when the plan no longer wants the session. */
  readonly signal: AbortSignal;
}

export type PromptPart =
  | { readonly kind: "instructions"; readonly text: string }
  /** Reaches a model only through `fenced` of core/prompt, which asks whether it is prose (the default) or code. */
  | { readonly kind: "data"; readonly title: string; readonly text: Untrusted; readonly form?: TextForm | undefined };

export interface FeedbackItem {
  readonly id: string;
  readonly login: string;
  readonly url: string | null;
  readonly body: Untrusted;
  readonly place: FeedbackPlace | null;
}

export interface FeedbackPlace {
  readonly path: string;
  readonly lines: FeedbackLines;
}

export type FeedbackLines =
  /** The lines are those of the remark. `text`: how they read then, without carriage returns; compare it with the file. */
  | { readonly kind: "proven"; readonly first: number; readonly last: number; readonly text: string }
  | { readonly kind: "outdated" }
  | { readonly kind: "old_side" }
  | { readonly kind: "unproven" };

export type SessionOutcome = {
  /** Null where the agent cannot tell. */
  readonly costMicroUsd: number | null;
} /** Files were changed. The summary is for people, and untrusted. */ & (
  | {
      readonly kind: "changed";
      readonly summary: string;
      /** Each id of the job is in at most one of the two lists. */
      readonly addressed: readonly string[];
      readonly notAddressed: readonly NotAddressed[];
    }
  | { readonly kind: "nothing_to_do"; readonly summary: string; readonly notAddressed: readonly NotAddressed[] }
  /** Half of a change in the workspace is not used. */
  | { readonly kind: "failed"; readonly why: string; readonly retryAt: Instant | null }
);

export interface NotAddressed {
  readonly id: string;
  readonly why: string;
  /** It asked for an exact change that the agent refuses: its thread is told why, once. */
  readonly isRefused?: boolean | undefined;
}
