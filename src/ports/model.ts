import type { Shape } from "#core/model/data.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { Batches } from "#ports/batches.ts";
import type { ChangeView } from "#ports/change-view.ts";

/** Answers one short question. A caller that needs no more asks for no more than this. */
export interface Answerer {
  /**
   * Asks once. Every failure is an outcome; it rejects only for a bug. The answer is untrusted text: the caller reads
   * it against a schema, and nothing in it can approve, merge, waive, push or run anything. Asking again costs again
   * and may give another answer, so answers are stored before they are used.
   */
  ask(question: ModelQuestion): Promise<ModelAnswer>;

  /**
   * The estimated cost of that many tokens, in millionths of a dollar. Null, or no such method: the price is unknown.
   */
  estimate?(tokens: ExpectedTokens, delivery: DeliveryMode): number | null;

  /**
   * The estimated cost of an answer with the change in view, rather too high than too low; null if there is no change
   * to show. Absent if no change can be shown: then the caller does not even ask for the view.
   */
  expect?(question: ViewedQuestion): Promise<ExpectedTokens | null>;
}

export type ViewedQuestion = ModelQuestion & { readonly view: ConversationView };

export interface ConversationView extends ChangeView {
  /** The file that it is about, where it is about one: of a large change the part with that file is shown. */
  readonly path: string | null;
}

/** Answered at once, or at half the price within a day. */
export type DeliveryMode = "now" | "batch";

/** The size of what the caller is about to ask, over all requests. */
export interface ExpectedTokens {
  /** Input that no cache knows. */
  readonly fresh: number;
  readonly cached: number;
  readonly out: number;
}

/** A language model of any provider. */
export interface Model extends Answerer {
  /**
   * Runs one more turn of a conversation: tools are run as the model asks for them, until it answers. Every failure is
   * an outcome; it rejects only for a bug. The value was read against the shape, and is untrusted all the same. The
   * model keeps nothing from turn to turn: the caller passes all earlier turns, unchanged, and appends this one.
   * Calling it again costs again and may give another answer.
   */
  converse<Value>(turn: ModelTurn<Value>): Promise<TurnOutcome<Value>>;

  /** The shortest beginning of a prompt that the provider of the first model caches; absent if unknown. */
  readonly cacheTokensMin?: number | undefined;

  /** The smallest window of its chain as the operator says it, prompt and answers together; absent where he says nothing. */
  readonly contextTokens?: number | undefined;

  /** No model of its chain is given tools, even if a turn has some. */
  readonly isWithoutTools?: boolean | undefined;

  /** Absent where the provider of the first model of the chain takes no batches. */
  readonly batches?: Batches | undefined;
}

export interface ModelQuestion {
  readonly purpose: "classify" | "answer" | "dispute";
  /** In order. Parts of others reach the model as fenced data. */
  readonly prompt: readonly PromptPart[];
  /**
   * The change that the question is about. It is shown before the prompt. The prompt then begins with the instructions
   * of a review, word for word, and with the same tools, so that both share the provider's cache. Absent: there is only
   * the prompt.
   */
  readonly view?: ConversationView | undefined;
  /** The answer is cut off there; a cut answer counts as unreadable where it had to be JSON. */
  readonly answerCharactersMax: number;
  readonly signal: AbortSignal;
  /** Told of each request as soon as it has ended. It must not throw. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

export type ModelAnswer =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly costMicroUsd: number;
      /** The model had more to say than it was allowed to: it is no whole answer. */
      readonly isCut?: boolean | undefined;
      /** Titles of what it was shown beside the prompt, or has looked up, that seems to give orders to a model. */
      readonly suspects?: readonly string[] | undefined;
    }
  /** `retryAt` is when it said that it can be asked again; null where it said nothing. */
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      /** What was spent all the same; absent where nothing was. */
      readonly costMicroUsd?: number | undefined;
    };

export type ModelPurpose = ModelQuestion["purpose"] | "review_find" | "review_look" | "review_verify";

export interface ModelTurn<Value> {
  readonly purpose: ModelPurpose;
  /**
   * All that was said before and what is said now, ending with Drover. The beginning is equal from turn to turn, so that
   * the provider's cache serves it: parts are never reordered, and what changes comes last.
   */
  readonly messages: readonly ModelMessage[];
  /**
   * What the answer must be; null for plain text. The model is told of it at the end of the first message, so the prompt
   * need not describe it: descriptions and limits of the fields are said as well. The same in all turns of a
   * conversation, or no cache knows its beginning. Where the operator wants it, and the turn has no tools, the server is
   * made to keep to it.
   */
  readonly shape: AnswerShape<Value>;
  /**
   * The same in all turns of a conversation, also in turns that may not call any (`toolCallsMax: 0`). Providers put
   * tools at the very beginning of the prompt, so other tools would miss the cache.
   */
  readonly tools: readonly ModelTool[];
  readonly limits: TurnLimits;
  readonly signal: AbortSignal;
  /** Told of each request as soon as it has ended. It must not throw. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

export type AnswerShape<Value> = Shape<Value> | (string extends Value ? null : never);

/**
 * The instructions with which the first message begins are the system's; all other instructions are what is said now.
 * What the model said is its own words, which never become instructions.
 */
export type ModelMessage =
  | { readonly from: "drover"; readonly parts: readonly PromptPart[] }
  | { readonly from: "model"; readonly text: string };

export interface ModelTool {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** What it is for, as the model is told. */
  readonly words: string;
  /** An object. Arguments that it does not take are answered by saying why, and `run` is not called. */
  readonly input: Shape;
  /**
   * Called with the input that the schema has read, one call at a time. The answer is untrusted data: it is sanitised,
   * fenced and cut to the limit before the model sees it. A rejection is answered as "the tool failed", without its
   * message. After the signal is aborted the result is ignored.
   */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface TurnLimits {
  /**
   * Of each answer, what the model thinks by itself included. A longer answer is cut off there: where it must have a shape
   * that is unreadable, and plain text is taken as far as it goes.
   */
  readonly answerTokensMax: number;
  /** All calls of this turn. At the limit the model is told to answer with what it has. */
  readonly toolCallsMax: number;
  /** The whole turn with its tools, retries and pauses. */
  readonly timeMsMax: number;
}

export type TurnOutcome<Value> =
  /** `said` is what the next turn appends to its messages. */
  | {
      readonly kind: "answered";
      readonly value: Value;
      readonly said: readonly ModelMessage[];
      /** Plain text that ended at its limit, and not where the model wanted to end. */
      readonly isCut?: boolean | undefined;
      readonly usage: ModelUsage;
    }
  /** It answered, twice, with something that cannot be read as what was asked for; or it refused to answer. */
  | { readonly kind: "unreadable"; readonly why: string; readonly usage: ModelUsage }
  /** `retryAt` is when it said that it can be asked again; null where it said nothing, or where asking will not help. */
  | { readonly kind: "failed"; readonly why: string; readonly retryAt: Instant | null; readonly usage: ModelUsage };

/** What was spent, also where nothing came of it. */
export interface ModelUsage {
  readonly calls: readonly ModelCall[];
  /** Of the calls whose price is known or can be estimated. */
  readonly costMicroUsd: number;
}

/** One request to a provider, as it is recorded. It holds no text of anybody. */
export interface ModelCall {
  /** The provider's own name of it, where it may be told of more than once. */
  readonly id?: string | undefined;
  /** Absent: now. */
  readonly delivery?: DeliveryMode | undefined;
  /** `anthropic/claude-…`: the provider and the model as configured. */
  readonly model: string;
  readonly purpose: ModelPurpose | "session";
  /** All input, what the cache served included. */
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  /** Millionths of a dollar, whole. With `isPriced: false` it is estimated, or 0 if unknown. */
  readonly costMicroUsd: number;
  readonly isPriced: boolean;
  readonly ms: number;
  readonly outcome: CallOutcome;
}

export type CallOutcome =
  | "answered"
  /** The answer was cut off at its limit. */
  | "cut"
  | "refused"
  | "tools"
  /** It could not be read as what was asked for. */
  | "unreadable"
  | "rate_limited"
  | "unavailable"
  | "timed_out"
  /** The key, the model's name or the request is wrong: asking again will not help. */
  | "rejected"
  | "aborted";
