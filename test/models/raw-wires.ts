import type { ModelProvider } from "#models/model-settings.ts";

/** What a provider's answer says besides its text, as it is on the wire. */
export interface RawAnswer {
  readonly text: string;
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensCacheWritten: number;
  readonly tokensOut: number;
  /** As the provider words it. */
  readonly stop: string;
}

/** Answers as bytes of each provider's own stream, for what the mock server leaves out: caches, refusals, cuts. */
export function rawResponse(provider: ModelProvider, answer: RawAnswer): Response {
  return streamOf(rawEvents[provider](answer));
}

/** The same, one event at a time. */
export function rawLines(provider: ModelProvider, answer: RawAnswer): readonly string[] {
  return linesOf(rawEvents[provider](answer));
}

export function streamOf(events: readonly unknown[]): Response {
  return new Response(linesOf(events).join(""), { headers: { "content-type": "text/event-stream" } });
}

function linesOf(events: readonly unknown[]): readonly string[] {
  return events.map((event) => `${eventName(event)}data: ${JSON.stringify(event)}\n\n`);
}

function eventName(event: unknown): string {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
  return typeof type === "string" ? `event: ${type}\n` : "";
}

const rawEvents: Readonly<Record<ModelProvider, (answer: RawAnswer) => readonly unknown[]>> = {
  anthropic: ({ text, tokensIn, tokensCached, tokensCacheWritten, tokensOut, stop }) => {
    const usage = {
      // What the cache served or took is not among the input tokens here.
      input_tokens: tokensIn - tokensCached - tokensCacheWritten,
      cache_read_input_tokens: tokensCached,
      cache_creation_input_tokens: tokensCacheWritten,
      output_tokens: 1,
    };
    return [
      {
        type: "message_start",
        message: { id: "m1", type: "message", role: "assistant", content: [], model: "m", stop_reason: null, usage },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: tokensOut } },
      { type: "message_stop" },
    ];
  },
  openai: ({ text, tokensIn, tokensCached, tokensOut, stop }) => {
    const usage = {
      input_tokens: tokensIn,
      input_tokens_details: { cached_tokens: tokensCached },
      output_tokens: tokensOut,
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const incomplete = stop === "completed" ? null : { reason: stop };
    const type = incomplete === null ? "response.completed" : "response.incomplete";
    const item = { type: "message", id: "i1", role: "assistant", content: [] };
    return [
      { type: "response.created", response: { id: "r1", created_at: 1, model: "m" } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_text.delta", item_id: "i1", output_index: 0, content_index: 0, delta: text },
      { type: "response.output_item.done", output_index: 0, item },
      { type, response: { id: "r1", incomplete_details: incomplete, usage } },
    ];
  },
  google: ({ text, tokensIn, tokensCached, tokensOut, stop }) => [
    {
      candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: stop, index: 0 }],
      usageMetadata: {
        promptTokenCount: tokensIn,
        cachedContentTokenCount: tokensCached,
        candidatesTokenCount: tokensOut,
        totalTokenCount: tokensIn + tokensOut,
      },
    },
  ],
  openrouter: (answer) => chatEvents(answer, { cost: 0.001_234_1 }),
  compatible: (answer) => chatEvents(answer, {}),
};

function chatEvents(
  { text, tokensIn, tokensCached, tokensOut, stop }: RawAnswer,
  more: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
  const usage = {
    prompt_tokens: tokensIn,
    completion_tokens: tokensOut,
    total_tokens: tokensIn + tokensOut,
    prompt_tokens_details: { cached_tokens: tokensCached },
    ...more,
  };
  return [
    { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: stop }] },
    { ...chunk, choices: [], usage },
  ];
}
