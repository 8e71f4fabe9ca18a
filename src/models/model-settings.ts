import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Price } from "#models/price.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { ModelCall } from "#ports/model.ts";
import type { Random } from "#ports/random.ts";

export interface ModelSettings {
  /** At least one. The next is asked only where those before are out. */
  readonly chain: readonly ChainEntry[];
  /** By `provider/model` or by the model alone; they win over the table in `prices.ts`. */
  readonly prices: Readonly<Record<string, Price>>;
  /** The price of the others is used for models without a known price. */
  readonly allowsUnpriced?: boolean;
  readonly durations: ModelCallLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The caller can set a proxy. */
  readonly fetch: typeof fetch;
  /** Failed requests too. It must not throw. */
  readonly onCall: (call: ModelCall) => void;
}

/** `compatible`: any server with OpenAI's chat completions, such as Ollama, vLLM or a gateway. */
export type ModelProvider = "anthropic" | "openai" | "google" | "openrouter" | "compatible";

export interface ChainEntry {
  readonly provider: ModelProvider;
  readonly model: string;
  /** Null: the provider's own. The key is sent there, so it comes from the operator and never from a repository. */
  readonly baseUrl: string | null;
  readonly key: ModelKey | null;
  readonly keyName: string;
  /** `told`: in the prompt. `enforced`: by the server too, in turns without tools. Null: as docs/decisions/models.md says. */
  readonly shapes: "told" | "enforced" | null;
  /** `none`: no tools in any turn, so that every shape can be enforced. */
  readonly tools?: "given" | "none" | undefined;
  readonly contextTokens?: number | undefined;
}

export interface ModelKey {
  readonly reveal: () => string;
}

export interface ModelCallLimits {
  /** After so long a silence a provider is taken for gone. */
  readonly silenceMsMax: number;
  readonly triesMax: number;
  /** Doubled for each further one. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** A longer call is given up, and the model is told. */
  readonly toolMsMax: number;
  readonly askMsMax: number;
}

export const defaultModelCallLimits: ModelCallLimits = {
  // A model that reasons without showing it was silent for more than a minute.
  silenceMsMax: 3 * minuteMs,
  triesMax: 4,
  pauseMs: 2 * secondMs,
  pauseMsMax: minuteMs,
  toolMsMax: minuteMs,
  askMsMax: 5 * minuteMs,
};
