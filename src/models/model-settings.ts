import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Price } from "#models/price.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { ModelCall } from "#ports/model.ts";
import type { Random } from "#ports/random.ts";

export interface ModelSettings {
  /** Asked in this order; the next one only where those before are out. At least one. */
  readonly chain: readonly ChainEntry[];
  /** By `provider/model` or by the model alone; they win over the table in `prices.ts`. */
  readonly prices: Readonly<Record<string, Price>>;
  /** The operator allows models without a known price; the price of the others is used for them. */
  readonly allowsUnpriced?: boolean;
  readonly durations: ModelCallLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The `fetch` of the process, so that the caller can set a proxy. */
  readonly fetch: typeof fetch;
  /** Told of every request to a provider, also of those that failed. It must not throw. */
  readonly onCall: (call: ModelCall) => void;
}

/** `compatible` is any server that speaks OpenAI's chat completions: Ollama, vLLM, a gateway. */
export type ModelProvider = "anthropic" | "openai" | "google" | "openrouter" | "compatible";

export interface ChainEntry {
  readonly provider: ModelProvider;
  readonly model: string;
  /**
   * Null for the provider's own address; a compatible server needs one. The key is sent there, so it comes from the
   * operator and never from a repository.
   */
  readonly baseUrl: string | null;
  /** Null for a server that wants none. */
  readonly key: ModelKey | null;
  /** The variable of the environment in which the key is, for messages. */
  readonly keyName: string;
  /**
   * `told`: the shape of an answer stands at the end of the prompt, and the answer is read against it. `enforced`: the
   * server is also made to keep to it, in turns without tools. Null is `enforced` for a compatible server and `told`
   * for all others (docs/decisions/models.md says why).
   */
  readonly shapes: "told" | "enforced" | null;
  /** `none`: it has no tools in any turn, so that the shape of every answer can be enforced. Absent: it has them. */
  readonly tools?: "given" | "none" | undefined;
  /** Of its window, prompt and answers together; absent: unknown. */
  readonly contextTokens?: number | undefined;
}

/** A secret that prints as something else. */
export interface ModelKey {
  readonly reveal: () => string;
}

export interface ModelCallLimits {
  /** A provider from which nothing was heard for so long is taken for gone. Those that think aloud are heard. */
  readonly silenceMsMax: number;
  /** How often one request is sent to one model before the next in the chain is asked. */
  readonly triesMax: number;
  /** The first pause between two tries; each further one is twice as long. */
  readonly pauseMs: number;
  /** A provider that wants a longer pause is out until then. */
  readonly pauseMsMax: number;
  /** One call of a tool; a longer one is given up, and the model is told. */
  readonly toolMsMax: number;
  /** One short question, with all tries. */
  readonly askMsMax: number;
}

export const defaultModelCallLimits: ModelCallLimits = {
  // A model that reasons without showing it has been seen to be silent for more than a minute.
  silenceMsMax: 3 * minuteMs,
  triesMax: 4,
  pauseMs: 2 * secondMs,
  pauseMsMax: minuteMs,
  toolMsMax: minuteMs,
  askMsMax: 5 * minuteMs,
};
