import { type Fixture, LLMock } from "@copilotkit/aimock";
import { z } from "zod";
import { Untrusted } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { createModel } from "#models/create-model.ts";
import {
  type ChainEntry,
  defaultModelCallLimits,
  type ModelProvider,
  type ModelSettings,
} from "#models/model-settings.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { LogFacts } from "#ports/log.ts";
import type { Model, ModelCall, ModelMessage, ModelTurn } from "#ports/model.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createQuickClock, type QuickClock } from "./quick-clock.ts";

/** Models behind the wires of all providers, played by one server on this machine. */
export interface ModelWorld {
  /** What the server answers, one after the other, whoever asks. Asked for more, it says that there is nothing. */
  script(...answers: readonly Scripted[]): void;
  /** A model over the chain; each entry is at the server. */
  modelOf(chain: readonly Pick<ChainEntry, "provider" | "model" | "tools">[], changes?: Partial<ModelSettings>): Model;
  readonly calls: readonly ModelCall[];
  readonly warnings: readonly (LogFacts & { readonly message: string })[];
  /** What the log says besides. */
  readonly told: readonly LogFacts[];
  /** Requests as they left the process. */
  readonly requests: readonly SentRequest[];
  readonly clock: QuickClock;
  /** As new: nothing was asked yet and no answer is left. */
  renew(): void;
  close(): Promise<void>;
}

export type Scripted = Omit<Fixture, "match" | "response"> & { readonly response: Fixture["response"] };

export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Nothing that a provider is told may hold it, but for the header that is there for it. */
export const keyText = "key-0f9e8d7c6b5a-not-for-anybody";

export const models = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5-mini",
  google: "gemini-2.5-flash",
  openrouter: "anthropic/claude-sonnet-4.5",
  compatible: "qwen3-coder",
} as const satisfies Record<ModelProvider, string>;

export const providers = ["anthropic", "openai", "google", "openrouter", "compatible"] as const;

export function entryOf(provider: ModelProvider): Pick<ChainEntry, "provider" | "model"> {
  return { provider, model: models[provider] };
}

export async function openModelWorld(): Promise<ModelWorld> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  const url = await mock.start();
  const calls: ModelCall[] = [];
  const warnings: (LogFacts & { readonly message: string })[] = [];
  const told: LogFacts[] = [];
  const requests: SentRequest[] = [];
  const clock = createQuickClock();
  // A request of which nobody wants the answer may reach the server when the next test has begun: it gets none of its.
  let epoch = 0;
  const settings: Omit<ModelSettings, "chain"> = {
    prices: {},
    durations: { ...defaultModelCallLimits, silenceMsMax: 10 * minuteMs },
    clock,
    random: createSeededRandom(7),
    log: {
      info: (facts) => told.push(facts),
      warn: (facts, message) => warnings.push({ ...facts, message }),
      error: ignore,
    },
    fetch: recordingFetch(requests, () => `epoch ${epoch}`),
    onCall: (call) => calls.push(call),
  };
  return {
    script: (...answers) => play(mock, answers, `epoch ${epoch}`),
    modelOf: (chain, changes) => createModel({ ...settings, chain: chain.map((entry) => at(url, entry)), ...changes }),
    calls,
    warnings,
    told,
    requests,
    clock,
    renew: () => {
      epoch += 1;
      mock.clearFixtures();
      mock.clearRequests();
      for (const list of [calls, warnings, told, requests, clock.sleeps]) list.length = 0;
    },
    close: async () => await mock.stop(),
  };
}

const basePaths = { anthropic: "/v1", openai: "/v1", google: "/v1beta", openrouter: "/api/v1", compatible: "/v1" };

export function at(url: string, entry: Pick<ChainEntry, "provider" | "model" | "tools">): ChainEntry {
  return {
    ...entry,
    baseUrl: `${url}${basePaths[entry.provider]}`,
    key: { reveal: () => keyText },
    keyName: `${entry.provider.toUpperCase()}_API_KEY`,
    shapes: null,
  };
}

function play(mock: LLMock, answers: readonly Scripted[], context: string): void {
  let served = 0;
  for (const [index, { response, ...options }] of answers.entries()) {
    mock.addFixture({
      ...options,
      match: { context, predicate: () => served === index },
      response: async (request) => {
        served += 1;
        return typeof response === "function" ? await response(request) : response;
      },
    });
  }
}

function recordingFetch(requests: SentRequest[], contextOf: () => string): typeof fetch {
  return async (input, init) => {
    const { url, headers } = new Request(input, { headers: init?.headers ?? {} });
    requests.push({ url, headers: Object.fromEntries(headers), body: typeof init?.body === "string" ? init.body : "" });
    headers.set("x-aimock-context", contextOf());
    return await fetch(input, { ...init, headers });
  };
}

function ignore(): void {
  // Nobody asks for it.
}

export const Verdict = z.object({
  verdict: z.enum(["good", "bad"]),
  remarks: z.array(z.object({ path: z.string(), text: z.string().max(200).describe("one sentence") })),
});
export const good = { verdict: "good", remarks: [{ path: "src/a.ts", text: "Fine." }] } as const;

export function data(text: string, title = "the diff"): PromptPart {
  return { kind: "data", title, text: Untrusted.parse(text) };
}

export function said(...parts: readonly PromptPart[]): ModelMessage {
  return { from: "drover", parts };
}

export const opening = said({ kind: "instructions", text: "You review changes." }, data("+const a = 1;"));

export function aTurn(changes: Partial<ModelTurn<z.infer<typeof Verdict>>> = {}): ModelTurn<z.infer<typeof Verdict>> {
  return {
    purpose: "review_find",
    messages: [opening],
    shape: Verdict,
    tools: [],
    limits: { answerTokensMax: 2_000, toolCallsMax: 4, timeMsMax: 60 * minuteMs },
    signal: new AbortController().signal,
    ...changes,
  };
}

export const answered: Scripted = { response: { content: JSON.stringify(good) } };

export function refused(
  status: number,
  { message = "something is wrong", ...rest }: { readonly retryAfter?: number; readonly message?: string } = {},
): Scripted {
  return { response: { error: { message, type: "test_error" }, status, ...rest } };
}
