import type { AssistantContent, FinishReason, ProviderOptions, StreamPart, WireUsage } from "#models/language-model.ts";

export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** As it has to be shown to the model again when its tools have answered. */
  readonly content: AssistantContent;
  readonly finish: FinishReason["unified"];
  readonly usage: WireUsage;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface BrokenStream {
  readonly kind: "broken";
  readonly error: unknown;
}

export interface StreamCollector {
  add(part: StreamPart): void;
  characters(): number;
  end(): ModelResponse | BrokenStream;
  truncate(): ModelResponse;
}

export function createStreamCollector(): StreamCollector {
  const pieces = new Map<string, Piece>();
  let count = 0;
  let finished: Extract<StreamPart, { type: "finish" }> | undefined;
  let failure: BrokenStream | undefined;
  const pieceOf = (kind: "text" | "reasoning", id: string): Piece => {
    const key = `${kind} ${id}`;
    const piece = pieces.get(key) ?? { kind, text: "", options: undefined };
    pieces.set(key, piece);
    return piece;
  };
  return {
    add: (part) => {
      if (part.type === "text-start" || part.type === "text-delta" || part.type === "text-end") {
        count += hearPiece(pieceOf("text", part.id), part);
      } else if (part.type === "reasoning-start" || part.type === "reasoning-delta" || part.type === "reasoning-end") {
        count += hearPiece(pieceOf("reasoning", part.id), part);
      } else if (part.type === "tool-input-delta") count += part.delta.length;
      else if (part.type === "tool-call") pieces.set(`call ${part.toolCallId}`, { kind: "call", part });
      else if (part.type === "finish") finished = part;
      else if (part.type === "error") failure ??= { kind: "broken", error: part.error };
    },
    characters: () => count,
    end: () => {
      if (failure !== undefined) return failure;
      if (finished === undefined || isBrokenOff(finished.finishReason)) return { kind: "broken", error: undefined };
      return answerOf([...pieces.values()], finished.finishReason.unified, finished.usage);
    },
    truncate: () => answerOf([...pieces.values()], "length", unknownUsage),
  };
}

type Piece = SpokenPiece | { readonly kind: "call"; readonly part: Extract<StreamPart, { type: "tool-call" }> };

interface SpokenPiece {
  readonly kind: "text" | "reasoning";
  text: string;
  options: ProviderOptions | undefined;
}

/** A thought's signature comes with any of the three parts; the last one counts. */
function hearPiece(
  piece: Piece,
  part: { readonly delta?: string; readonly providerMetadata?: ProviderOptions | undefined },
): number {
  if (piece.kind === "call") return 0;
  piece.text += part.delta ?? "";
  piece.options = part.providerMetadata ?? piece.options;
  return part.delta?.length ?? 0;
}

/** Packages that end every stream with a finish say so in this way where the provider gave none. */
function isBrokenOff({ unified, raw }: FinishReason): boolean {
  return unified === "error" || (unified === "other" && raw === undefined);
}

const unknownUsage: WireUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function answerOf(pieces: readonly Piece[], finish: ModelResponse["finish"], usage: WireUsage): ModelResponse {
  const content: AssistantContent = [];
  const toolCalls: ToolCall[] = [];
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "call") {
      const { toolCallId, toolName, providerMetadata } = piece.part;
      const input = parseInput(piece.part.input);
      toolCalls.push({ id: toolCallId, name: toolName, input });
      content.push({ type: "tool-call", toolCallId, toolName, input: input ?? {}, ...optionsOf(providerMetadata) });
    } else if (piece.kind === "reasoning") {
      content.push({ type: "reasoning", text: piece.text, ...optionsOf(piece.options) });
    } else if (piece.text !== "") {
      text += piece.text;
      content.push({ type: "text", text: piece.text, ...optionsOf(piece.options) });
    }
  }
  return { text, toolCalls, content, finish, usage };
}

function optionsOf(options: ProviderOptions | undefined): { readonly providerOptions?: ProviderOptions } {
  return options === undefined ? {} : { providerOptions: options };
}

/** Some providers send a call without arguments as nothing. */
function parseInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
