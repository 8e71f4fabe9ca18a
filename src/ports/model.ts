import type { Instant } from "#core/model/instant.ts";
import type { PromptPart } from "#ports/agent.ts";

/** A language model, whoever runs it. */
export interface Model {
  /**
   * Asks once. Everything that goes wrong is an outcome; it rejects only for a bug. What it answers is untrusted text:
   * whoever asked reads it against a schema, and nothing in it can approve, merge, waive, push or run anything. Asking
   * again costs again and may be answered differently, so what was answered is stored before it is used.
   */
  ask(question: ModelQuestion): Promise<ModelAnswer>;
}

export interface ModelQuestion {
  readonly purpose: "classify" | "answer" | "dispute";
  /** In order. Parts of others reach the model as fenced data. */
  readonly prompt: readonly PromptPart[];
  /** The answer is cut off there; a cut answer counts as unreadable where it had to be JSON. */
  readonly answerCharactersMax: number;
  readonly signal: AbortSignal;
}

export type ModelAnswer =
  | { readonly kind: "answered"; readonly text: string; readonly costMicroUsd: number }
  /** `retryAt` is when it said that it can be asked again; null where it said nothing. */
  | { readonly kind: "failed"; readonly why: string; readonly retryAt: Instant | null };
