import type { LanguageModelV3 } from "@ai-sdk/provider";

/** Used without the AI SDK's own loop, which hides single calls and what each cost. */
export type ProviderModel = LanguageModelV3;

export type CallOptions = Parameters<ProviderModel["doStream"]>[0];
export type WirePrompt = CallOptions["prompt"];
export type WireMessage = WirePrompt[number];
export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;
export type AssistantContent = Extract<WireMessage, { role: "assistant" }>["content"];
export type ToolResults = Extract<WireMessage, { role: "tool" }>["content"];
export type StreamPart =
  Awaited<ReturnType<ProviderModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Finish = Extract<StreamPart, { type: "finish" }>;
export type FinishReason = Finish["finishReason"];
export type WireUsage = Finish["usage"];
