import { fenced, fenceWords } from "#core/prompt/fence.ts";
import type { ProviderOptions, WireMessage, WirePrompt } from "#models/language-model.ts";
import { type PromptPrefix, splitPromptPrefix } from "#models/prompt-prefix.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { ModelMessage } from "#ports/model.ts";

export interface WireOptions {
  readonly fence: string;
  readonly cacheMark: ProviderOptions | null;
  /** Said once, at the end of the first message; null for plain text. */
  readonly shapeWords: string | null;
}

/**
 * Others' text goes through the fence only. What later turns repeat comes first and unchanged, for the cache. Marks stand
 * behind the first message's data, which other questions share, and at the very end, which the next turn repeats. The shape
 * closes the first message, behind what is shared: in each turn it would be a third of what no cache serves.
 */
export function wirePrompt(messages: readonly ModelMessage[], options: WireOptions): WirePrompt {
  const beginning = splitPromptPrefix(messages);
  const prompt: WireMessage[] = [systemMessage(beginning, options)];
  for (const [index, message] of messages.entries()) {
    const isLast = index === messages.length - 1;
    if (message.from === "drover") {
      const pieces = index === 0 ? firstPieces(beginning, options) : [textOf(message.parts, options.fence)];
      prompt.push(userMessage(pieces, isLast, options));
      // Some providers refuse an empty message.
    } else if (message.text.trim() !== "") prompt.push(assistantText(message.text));
  }
  return prompt;
}

export function assistantText(text: string): WireMessage {
  return { role: "assistant", content: [{ type: "text", text }] };
}

function systemMessage({ system }: PromptPrefix, { cacheMark }: WireOptions): WireMessage {
  const text = system.map((part) => part.text).join("\n\n");
  const whole = text.includes(fenceWords) ? text : [text, fenceWords].filter((one) => one !== "").join("\n\n");
  return { role: "system", content: whole, ...marked(cacheMark) };
}

function firstPieces({ data, rest }: PromptPrefix, { fence, shapeWords }: WireOptions): readonly string[] {
  return [textOf(data, fence), [textOf(rest, fence), shapeWords ?? ""].filter((text) => text !== "").join("\n\n")];
}

function userMessage(pieces: readonly string[], isLast: boolean, { cacheMark }: WireOptions): WireMessage {
  const texts = pieces.filter((text) => text !== "");
  if (cacheMark === null) return { role: "user", content: [{ type: "text", text: texts.join("\n\n") }] };
  const content = texts.map((text, index) => {
    const isMarked = index < texts.length - 1 || isLast;
    return { type: "text" as const, text, ...marked(isMarked ? cacheMark : null) };
  });
  return { role: "user", content };
}

function textOf(parts: readonly PromptPart[], fence: string): string {
  return parts.map((part) => (part.kind === "data" ? fenced(part, fence) : part.text)).join("\n\n");
}

function marked(cacheMark: ProviderOptions | null): { readonly providerOptions?: ProviderOptions } {
  return cacheMark === null ? {} : { providerOptions: cacheMark };
}
