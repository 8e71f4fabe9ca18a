import type { PromptPart } from "#ports/agent.ts";
import type { ModelMessage } from "#ports/model.ts";

/** How a conversation begins: what the system says, and the data behind it. */
export interface PromptPrefix {
  readonly system: readonly PromptPart[];
  /** Up to the first instructions after data. Conversations that differ only after it have seen the same so far. */
  readonly data: readonly PromptPart[];
  readonly rest: readonly PromptPart[];
}

/**
 * The first message in three pieces. Roles, questions and disputes about the same change have the first two in common,
 * which is what a provider's cache is for. Where there is no data the last of the instructions is the question.
 */
export function splitPromptPrefix(messages: readonly ModelMessage[]): PromptPrefix {
  const [first] = messages;
  if (first?.from !== "drover") return { system: [], data: [], rest: [] };
  const { parts } = first;
  const dataStart = parts.findIndex(({ kind }) => kind === "data");
  if (dataStart === -1) return { system: parts.slice(0, -1), data: [], rest: parts.slice(-1) };
  const length = parts.slice(dataStart).findIndex(({ kind }) => kind === "instructions");
  const dataEnd = length === -1 ? parts.length : dataStart + length;
  return { system: parts.slice(0, dataStart), data: parts.slice(dataStart, dataEnd), rest: parts.slice(dataEnd) };
}
