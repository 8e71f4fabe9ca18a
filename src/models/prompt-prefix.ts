import type { PromptPart } from "#ports/agent.ts";
import type { ModelMessage } from "#ports/model.ts";

export interface PromptPrefix {
  readonly system: readonly PromptPart[];
  /** Up to the first instructions after data: what conversations about it have in common. */
  readonly data: readonly PromptPart[];
  readonly rest: readonly PromptPart[];
}

/** Conversations about one change share the first two pieces, for the cache. Without data the last instructions are `rest`. */
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
