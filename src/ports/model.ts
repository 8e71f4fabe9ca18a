import type { Instant } from "#core/model/instant.ts";
import type { Shape } from "#core/model/shape.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { Batches } from "#ports/batches.ts";
import type { ChangeView } from "#ports/change-view.ts";

export interface Answerer {
  /**
   * Failures are outcomes. The answer is untrusted text. Asking again costs again and may differ: store an answer before
   * use.
   */
  ask(question: ModelQuestion): Promise<ModelAnswer>;

  /** Millionths of a dollar. Null, or no such method: the price is unknown. */
  estimate?(tokens: ExpectedTokens, delivery: DeliveryMode): number | null;

  /** The cost of an answer with the change in view, rather too high. Null: no change to show. Absent: it shows none. */
  expect?(question: ViewedQuestion): Promise<ExpectedTokens | null>;
}

export type ViewedQuestion = ModelQuestion & { readonly view: ConversationView };

export interface ConversationView extends ChangeView {
  readonly path: string | null;
}

export type DeliveryMode = "now" | "batch";

export interface ExpectedTokens {
  /** Input that no cache knows. */
  readonly fresh: number;
  readonly cached: number;
  readonly out: number;
}

export interface Model extends Answerer {
  /**
   * One more turn, with tools, until it answers. Failures are outcomes; the value fits the shape and is untrusted. The
   * model keeps nothing: pass all earlier turns unchanged. Calling again costs again and may differ.
   */
  converse<Value>(turn: ModelTurn<Value>): Promise<TurnOutcome<Value>>;

  /** The shortest beginning that the first model's provider caches; absent if unknown. */
  readonly cacheTokensMin?: number | undefined;

  /** The smallest window of its chain, prompt and answers together; absent where the operator says nothing. */
  readonly contextTokens?: number | undefined;

  /** No model of its chain is given tools, even if a turn has some. */
  readonly isWithoutTools?: boolean | undefined;

  /** Absent where the first model's provider takes no batches. */
  readonly batches?: Batches | undefined;
}

export interface ModelQuestion {
  readonly purpose: "classify" | "answer" | "dispute";
  /** Parts of others reach the model as fenced data. */
  readonly prompt: readonly PromptPart[];
  /** Shown before the prompt, which then begins like a review, with the same tools: both share the provider's cache. */
  readonly view?: ConversationView | undefined;
  /** The answer is cut there; cut JSON counts as unreadable. */
  readonly answerCharactersMax: number;
  readonly signal: AbortSignal;
  /** Called when each request has ended. It must not throw. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

export type ModelAnswer =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly costMicroUsd: number;
      readonly isCut?: boolean | undefined;
      /** Titles of shown or looked-up texts that seem to give orders to a model. */
      readonly suspects?: readonly string[] | undefined;
    }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      readonly costMicroUsd?: number | undefined;
    };

export type ModelPurpose = ModelQuestion["purpose"] | "review_find" | "review_look" | "review_verify";

export interface ModelTurn<Value> {
  readonly purpose: ModelPurpose;
  /** From the first to the present message. Never reordered, and changes come last, for the provider's cache. */
  readonly messages: readonly ModelMessage[];
  /**
   * Null: plain text. The model is told of it, so the prompt need not. The same in all turns, for the cache. A server is
   * made to keep to it only where the operator wants it and the turn has no tools.
   */
  readonly shape: AnswerShape<Value>;
  /** The same in all turns, also with `toolCallsMax: 0`: tools begin the prompt, so other ones would miss the cache. */
  readonly tools: readonly ModelTool[];
  readonly limits: TurnLimits;
  readonly signal: AbortSignal;
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

export type AnswerShape<Value> = Shape<Value> | (string extends Value ? null : never);

/** The first message's leading instructions are the system's. What the model said never becomes instructions. */
export type ModelMessage =
  | { readonly from: "drover"; readonly parts: readonly PromptPart[] }
  | { readonly from: "model"; readonly text: string };

export interface ModelTool {
  /** Letters, digits and underscores. */
  readonly name: string;
  readonly words: string;
  /** Other arguments are answered by saying why, without calling `run`. */
  readonly input: Shape;
  /** One call at a time. The answer is sanitised, fenced and cut, a rejection is not shown. Ignored after an abort. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface TurnLimits {
  /** Of each answer, its thinking included. Cut there: plain text counts as far as it goes, a shaped answer is unreadable. */
  readonly answerTokensMax: number;
  /** Of this turn. At the limit the model is told to answer with what it has. */
  readonly toolCallsMax: number;
  /** With its tools, retries and pauses. */
  readonly timeMsMax: number;
}

export type TurnOutcome<Value> =
  /** `said`: what the next turn appends to its messages. */
  | {
      readonly kind: "answered";
      readonly value: Value;
      readonly said: readonly ModelMessage[];
      readonly isCut?: boolean | undefined;
      readonly usage: ModelUsage;
    }
  /** Twice unreadable as what was asked for, or refused. */
  | { readonly kind: "unreadable"; readonly why: string; readonly usage: ModelUsage }
  /** `retryAt`: null where it said nothing, or where asking again will not help. */
  | { readonly kind: "failed"; readonly why: string; readonly retryAt: Instant | null; readonly usage: ModelUsage };

export interface ModelUsage {
  readonly calls: readonly ModelCall[];
  /** Of the calls whose price is known or can be estimated. */
  readonly costMicroUsd: number;
}

/** One request, as it is recorded. It holds no text of anybody. */
export interface ModelCall {
  /** The provider's own name of it, where it may be told of more than once. */
  readonly id?: string | undefined;
  readonly delivery?: DeliveryMode | undefined;
  /** `anthropic/claude-…`: provider and model as configured. */
  readonly model: string;
  readonly purpose: ModelPurpose | "session";
  /** What the cache served included. */
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  /** Whole millionths of a dollar. With `isPriced: false` it is estimated, or 0 if unknown. */
  readonly costMicroUsd: number;
  readonly isPriced: boolean;
  readonly ms: number;
  readonly outcome: CallOutcome;
}

export type CallOutcome =
  | "answered"
  | "cut"
  | "refused"
  | "tools"
  | "unreadable"
  | "rate_limited"
  | "unavailable"
  | "timed_out"
  /** Asking again will not help: the key, the model's name or the request is wrong. */
  | "rejected"
  | "aborted";
