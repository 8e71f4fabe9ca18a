import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { answered, aTurn, entryOf, good, keyText, type ModelWorld, providers, refused } from "./model-world.ts";
import { useModelWorld } from "./use-model-world.ts";

let world: ModelWorld;
useModelWorld((opened) => {
  world = opened;
});

/** The pauses between tries; all other sleeps are limits that nobody reached. */
function pauses(): readonly number[] {
  return world.clock.sleeps.filter((ms) => ms > 0 && ms < minuteMs);
}

describe.each(providers)("%s in trouble", (provider) => {
  it.each([
    [429, "rate_limited"],
    [500, "unavailable"],
    [529, "unavailable"],
  ])("is asked again after %i", async (status, outcome) => {
    world.script(refused(status), answered);
    const result = await world.modelOf([entryOf(provider)]).converse(aTurn());
    expect(result).toMatchObject({ kind: "answered", value: good });
    expect(world.calls.map((call) => call.outcome)).toEqual([outcome, "answered"]);
  });

  it("is asked again after the pause that it wants, which is told before", async () => {
    world.script(refused(429, { retryAfter: 17 }), answered);
    await world.modelOf([entryOf(provider)]).converse(aTurn());
    const model = world.calls[0]?.model;
    expect(world.told).toEqual([
      { model, why: `${model} is asked too often (429)`, pauseMs: pauses()[0] },
      { model, try: 2, triesMax: 4 },
    ]);
    expect(pauses()).toHaveLength(1);
    expect(pauses()[0]).toBeGreaterThan(16 * secondMs);
    expect(pauses()[0]).toBeLessThan(19 * secondMs);
  });

  it.each([400, 401])("is not asked again after %i", async (status) => {
    world.script(refused(status, { message: `no, not with ${keyText}` }), answered);
    const result = await world.modelOf([entryOf(provider)]).converse(aTurn());
    expect(result).toMatchObject({ kind: "failed", retryAt: null });
    expect(world.calls).toMatchObject([{ outcome: "rejected", costMicroUsd: 0, isPriced: true }]);
    expect(JSON.stringify([result, world.calls, world.warnings])).not.toContain(keyText);
  });

  it("is asked again when the answer broke off in the middle", async () => {
    world.script({ ...answered, chunkSize: 4, truncateAfterChunks: 3 }, answered);
    const result = await world.modelOf([entryOf(provider)]).converse(aTurn());
    expect(result).toMatchObject({ kind: "answered", value: good });
    expect(world.calls.map((call) => call.outcome)).toEqual(["unavailable", "answered"]);
  });

  it("is asked again when the connection was lost", async () => {
    const slow = { chunkSize: 1, streamingProfile: { ttft: 1, tps: 40 }, disconnectAfterMs: 40 };
    world.script({ ...answered, ...slow }, answered);
    const result = await world.modelOf([entryOf(provider)]).converse(aTurn());
    expect(result).toMatchObject({ kind: "answered", value: good });
    expect(world.calls.map((call) => call.outcome)).toEqual(["unavailable", "answered"]);
  });

  it("gets one more chance when its answer cannot be read, and sees what was wrong with it", async () => {
    world.script({ response: { content: '{"verdict":"so-so","remarks":[]}' } }, answered);
    const result = await world.modelOf([entryOf(provider)]).converse(aTurn());
    expect(result).toMatchObject({ kind: "answered", value: good });
    expect(world.calls.map((call) => call.outcome)).toEqual(["unreadable", "answered"]);
    expect(world.requests[1]?.body).toContain("so-so");
    expect(world.requests[1]?.body).toMatch(/- verdict: Invalid option/);
  });
});

describe("an answer that cannot be read", () => {
  it.each([
    ["is no JSON", "I would say that it is good."],
    ["is half of it", '{"verdict": "good", "remarks": ['],
    ["is several", '```json\n{"verdict":"good","remarks":[]}\n```\nor\n```json\n{"verdict":"bad","remarks":[]}\n```'],
    ["is empty", "  "],
  ])("twice is unreadable when it %s", async (_, content) => {
    world.script({ response: { content } }, { response: { content } }, answered);
    const result = await world.modelOf([entryOf("anthropic"), entryOf("openai")]).converse(aTurn());
    expect(result.kind).toBe("unreadable");
    expect(world.calls.map((call) => call.outcome)).toEqual(["unreadable", "unreadable"]);
    expect(result.usage.calls).toEqual(world.calls);
  });

  it("in words is told to be cut off where it ended at its limit", async () => {
    world.script({ response: { content: "It is there for", finishReason: "length" } });
    const asked = { purpose: "answer", prompt: [], answerCharactersMax: 1_000, signal: never() } as const;
    const answer = await world.modelOf([entryOf("compatible")]).ask(asked);
    expect(answer).toMatchObject({ kind: "answered", text: "It is there for", isCut: true });
    expect(world.calls.map((call) => call.outcome)).toEqual(["cut"]);
  });

  it("is asked for once more, shorter, when it was cut off", async () => {
    world.script({ response: { content: '{"verdict":"go', finishReason: "length" } }, answered);
    const result = await world.modelOf([entryOf("anthropic")]).converse(aTurn());
    expect(result).toMatchObject({ kind: "answered", value: good });
    expect(world.calls.map((call) => call.outcome)).toEqual(["cut", "answered"]);
    expect(world.requests[1]?.body).toContain("shorter");
  });

  it("is not asked for again after a refusal", async () => {
    world.script({ response: { content: "No.", finishReason: "content_filter" } }, answered);
    const result = await world.modelOf([entryOf("compatible")]).converse(aTurn());
    expect(result).toMatchObject({ kind: "unreadable", why: expect.stringContaining("refused") });
    expect(world.calls.map((call) => call.outcome)).toEqual(["refused"]);
  });
});

function never(): AbortSignal {
  return new AbortController().signal;
}
