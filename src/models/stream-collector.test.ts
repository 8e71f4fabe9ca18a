import { describe, expect, it } from "vitest";
import type { StreamPart } from "#models/language-model.ts";
import { type BrokenStream, createStreamCollector, type ModelResponse } from "#models/stream-collector.ts";

const usage = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};
const finish = { type: "finish", usage, finishReason: { unified: "stop", raw: "end_turn" } } as const;

function gather(...parts: readonly StreamPart[]): ModelResponse | BrokenStream {
  const gatherer = createStreamCollector();
  for (const part of parts) gatherer.add(part);
  return gatherer.end();
}

function spoken(id: string, ...deltas: readonly string[]): readonly StreamPart[] {
  return [
    { type: "text-start", id },
    ...deltas.map((delta) => ({ type: "text-delta", id, delta }) as const),
    { type: "text-end", id },
  ];
}

describe("an answer in pieces", () => {
  it("is put together in the order in which its pieces began", () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: "look", input: '{"at":1}' } as const;
    const answer = gather(...spoken("1", "Let me ", "look."), call, ...spoken("2", " Done."), finish);
    expect(answer).toMatchObject({
      text: "Let me look. Done.",
      toolCalls: [{ id: "c1", name: "look", input: { at: 1 } }],
      finish: "stop",
      usage,
    });
    expect("content" in answer && answer.content.map(({ type }) => type)).toEqual(["text", "tool-call", "text"]);
  });

  it("keeps the signature of what was thought, which the provider wants to see again", () => {
    const signature = { anthropic: { signature: "abc" } };
    const answer = gather(
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "hm" },
      { type: "reasoning-delta", id: "0", delta: "", providerMetadata: signature },
      { type: "reasoning-end", id: "0" },
      ...spoken("0", "yes"),
      finish,
    );
    expect(answer).toMatchObject({
      text: "yes",
      content: [
        { type: "reasoning", text: "hm", providerOptions: signature },
        { type: "text", text: "yes" },
      ],
    });
  });

  it.each([
    ["", {}],
    ["{", undefined],
    ['"word"', "word"],
  ])("has a call with the arguments %j", (input, read) => {
    const answer = gather({ type: "tool-call", toolCallId: "c", toolName: "look", input }, finish);
    expect("toolCalls" in answer && answer.toolCalls).toEqual([{ id: "c", name: "look", input: read }]);
  });

  it("does not count if its end never came", () => {
    expect(gather(...spoken("1", "yes"))).toEqual({ kind: "broken", error: undefined });
    const nothing = { unified: "other", raw: undefined } as const;
    expect(gather(...spoken("1", "yes"), { ...finish, finishReason: nothing })).toMatchObject({ kind: "broken" });
  });

  it("does not count if a piece reports an error: the first error is told", () => {
    const error = { type: "overloaded_error" };
    const broken = gather({ type: "error", error }, { type: "error", error: "later" }, ...spoken("1", "yes"), finish);
    expect(broken).toEqual({ kind: "broken", error });
  });

  it("counts all that it says, thinks and calls", () => {
    const gatherer = createStreamCollector();
    gatherer.add({ type: "text-delta", id: "1", delta: "four" });
    gatherer.add({ type: "reasoning-delta", id: "1", delta: "hm" });
    gatherer.add({ type: "tool-input-delta", id: "1", delta: "{}" });
    expect(gatherer.characters()).toBe(8);
    expect(gatherer.truncate()).toMatchObject({ text: "four", finish: "length" });
  });
});
