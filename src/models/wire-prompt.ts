import { fenced, fenceWords } from "#core/prompt/fence.ts";
import type { ProviderOptions, WireMessage, WirePrompt } from "#models/language-model.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { ModelMessage } from "#ports/model.ts";

export interface WireOptions {
  readonly fence: string;
  readonly cacheMark: ProviderOptions | null;
  /** Said once, at the end of the first message; null for plain text. */
  readonly shapeWords: string | null;
}

/**
 * A conversation as providers take it. Text of others goes through the fence and nowhere else. What a later turn will
 * repeat comes first and word for word, so that the provider's cache serves it: system, then each message as it was.
 * What is said of the answer's shape closes the first message, behind all that roles share: told anew in each turn it
 * would be a third of what no cache serves, and later turns have the answers before them as examples.
 */
export function wirePrompt(messages: readonly ModelMessage[], options: WireOptions): WirePrompt {
  const { system, rest } = withSystemApart(messages);
  const prompt: WireMessage[] = [systemMessage(system, options)];
  for (const [index, message] of rest.entries()) {
    const place = { isFirst: index === 0, isLast: index === rest.length - 1 };
    if (message.from === "drover") prompt.push(userMessage(message.parts, place, options));
    // Some providers refuse an empty message.
    else if (message.text.trim() !== "") prompt.push(assistantText(message.text));
  }
  return prompt;
}

export function assistantText(text: string): WireMessage {
  return { role: "assistant", content: [{ type: "text", text }] };
}

/** The instructions with which the conversation begins. Where there is nothing else, the last of them is the question. */
function withSystemApart(messages: readonly ModelMessage[]): {
  readonly system: readonly string[];
  readonly rest: readonly ModelMessage[];
} {
  const [first, ...later] = messages;
  if (first?.from !== "drover") return { system: [], rest: messages };
  const firstData = first.parts.findIndex(({ kind }) => kind === "data");
  const count = firstData >= 0 ? firstData : first.parts.length - 1;
  return {
    system: first.parts.slice(0, count).map(({ text }) => text),
    rest: [{ from: "drover", parts: first.parts.slice(count) }, ...later],
  };
}

function systemMessage(texts: readonly string[], { cacheMark }: WireOptions): WireMessage {
  const text = texts.join("\n\n");
  const whole = text.includes(fenceWords) ? text : [text, fenceWords].filter((one) => one !== "").join("\n\n");
  return { role: "system", content: whole, ...marked(cacheMark) };
}

/**
 * One block of text; several where marks are wanted. In the first message a mark stands behind the data, since roles that
 * look at the same data are told apart only after it; in the last one at its end, since the next turn will repeat it.
 */
function userMessage(
  parts: readonly PromptPart[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  { fence, cacheMark, shapeWords }: WireOptions,
): WireMessage {
  const dataEnd = isFirst ? parts.findLastIndex(({ kind }) => kind === "data") + 1 : 0;
  const told = isFirst ? (shapeWords ?? "") : "";
  const blocks = [
    { text: textOf(parts.slice(0, dataEnd), fence), isMarked: true },
    { text: [textOf(parts.slice(dataEnd), fence), told].filter((text) => text !== "").join("\n\n"), isMarked: isLast },
  ].filter(({ text }) => text !== "");
  if (cacheMark === null) {
    return { role: "user", content: [{ type: "text", text: blocks.map(({ text }) => text).join("\n\n") }] };
  }
  const content = blocks.map(({ text, isMarked }) => {
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
