import type { LanguageModelV3 } from "@ai-sdk/provider";

/**
 * What the provider packages of the AI SDK have in common. Drover speaks to them directly: the SDK's own loop would hide
 * single calls, and with them what each cost.
 */
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
