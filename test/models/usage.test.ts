import { describe, expect, it } from "vitest";
import { createModel } from "#models/create-model.ts";
import { defaultModelCallLimits, type ModelProvider, type ModelSettings } from "#models/model-settings.ts";
import type { Model, ModelCall, TurnOutcome } from "#ports/model.ts";
import { type ScriptedFetch, scriptedFetch } from "#testing/scripted-fetch.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { aTurn, at, data, entryOf, good, models, opening, said } from "./model-world.ts";
import { createQuickClock } from "./quick-clock.ts";
import { type RawAnswer, rawResponse, streamOf } from "./raw-wires.ts";

const stops = { anthropic: "end_turn", openai: "completed", google: "STOP", openrouter: "stop", compatible: "stop" };

function anAnswer(provider: ModelProvider, changes: Partial<RawAnswer> = {}): RawAnswer {
  return {
    text: JSON.stringify(good),
    tokensIn: 10_000,
    tokensCached: 8_000,
    tokensCacheWritten: provider === "anthropic" ? 1_000 : 0,
    tokensOut: 100,
    stop: stops[provider],
    ...changes,
  };
}

function modelAt(
  provider: ModelProvider,
  answer: Parameters<typeof scriptedFetch>[0],
  changes: Partial<ModelSettings> = {},
): { readonly model: Model; readonly line: ScriptedFetch; readonly warned: readonly string[] } {
  const line = scriptedFetch(answer);
  const warned: string[] = [];
  const model = createModel({
    chain: [at("http://127.0.0.1:9", entryOf(provider))],
    prices: {},
    durations: { ...defaultModelCallLimits, triesMax: 1 },
    clock: createQuickClock(),
    random: createSeededRandom(1),
    log: {
      info: () => undefined,
      warn: (facts, message) => warned.push(`${message} ${JSON.stringify(facts)}`),
      error: () => undefined,
    },
    fetch: line.fetch,
    onCall: () => undefined,
    ...changes,
  });
  return { model, line, warned };
}

async function outcomeAt(provider: ModelProvider, changes: Partial<RawAnswer>): Promise<TurnOutcome<unknown>> {
  return await modelAt(provider, () => rawResponse(provider, anAnswer(provider, changes))).model.converse(aTurn());
}

describe("what a call cost", () => {
  it.each([
    // 1,000 fresh at 3, 8,000 cached at 0.3, 1,000 written at 3.75, 100 out at 15.
    ["anthropic", 3_000 + 2_400 + 3_750 + 1_500],
    // 2,000 fresh at 0.25, 8,000 cached at 0.025, 100 out at 2.
    ["openai", 500 + 200 + 200],
    // 2,000 fresh at 0.3, 8,000 cached at 0.03, 100 out at 2.5.
    ["google", 600 + 240 + 250],
    // As the answer says, rounded up.
    ["openrouter", 1_235],
  ] as const)("is counted for %s with what its cache served", async (provider, costMicroUsd) => {
    const { usage } = await outcomeAt(provider, {});
    expect(usage).toMatchObject({
      costMicroUsd,
      calls: [{ tokensIn: 10_000, tokensCached: 8_000, tokensOut: 100, costMicroUsd, isPriced: true }],
    });
  });

  it("is unknown, and said to be, for a model that is not in the table", async () => {
    const { model, warned } = modelAt("compatible", () => rawResponse("compatible", anAnswer("compatible")));
    const { usage } = await model.converse(aTurn());
    expect(usage.calls).toMatchObject([{ tokensIn: 10_000, tokensOut: 100, costMicroUsd: 0, isPriced: false }]);
    expect(warned).toEqual([expect.stringMatching(/price of the model is unknown.*compatible\/qwen3-coder/)]);
  });

  it("is what the operator says, where the operator says it", async () => {
    const price = { input: 1, cached: 0.5, cacheWrite: null, output: 2, long: null };
    for (const name of [models.compatible, `compatible/${models.compatible}`]) {
      const answer = (): Response => rawResponse("compatible", anAnswer("compatible"));
      const { model, warned } = modelAt("compatible", answer, { prices: { [name]: price } });
      expect((await model.converse(aTurn())).usage.costMicroUsd).toBe(2_000 + 4_000 + 200);
      expect(warned).toEqual([]);
    }
  });

  it.each([1e300, 5_000, -1])(
    "is what the maker asks where OpenRouter says that one answer took %d dollars",
    async (dollars) => {
      const whole = await rawResponse("openrouter", anAnswer("openrouter")).text();
      const odd = whole.replace('"cost":0.0012341', `"cost":${dollars}`);
      expect(odd).not.toBe(whole);
      const headers = { "content-type": "text/event-stream" };
      const { usage } = await modelAt("openrouter", () => new Response(odd, { headers })).model.converse(aTurn());
      const asked = await outcomeAt("anthropic", { tokensCacheWritten: 0 });
      expect(usage.calls).toMatchObject([{ outcome: "answered", isPriced: true }]);
      expect(usage.costMicroUsd).toBe(asked.usage.costMicroUsd);
    },
  );

  it("is unknown where the provider did not count", async () => {
    const { usage } = await outcomeAt("anthropic", { tokensIn: 0, tokensCached: 0, tokensCacheWritten: 0 });
    expect(usage.calls).toMatchObject([{ costMicroUsd: 0, isPriced: false }]);
  });

  it("is estimated when an answer had begun and broke off, by what was sent and what was heard", async () => {
    const begun = [
      { type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ];
    const words = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "abc".repeat(1_000) } };
    const turn = aTurn({ messages: [opening, said(data("+const answer = await save(order);\n".repeat(1_000)))] });
    const silent = await modelAt("anthropic", () => streamOf(begun)).model.converse(turn);
    const [short] = silent.usage.calls;
    expect(short).toMatchObject({ outcome: "unavailable", isPriced: false, tokensOut: 0 });
    // Some ten tokens a line, at $3 for a million of them.
    expect(short?.tokensIn).toBeGreaterThan(9_000);
    expect(short?.tokensIn).toBeLessThan(20_000);
    expect(silent.usage.costMicroUsd).toBe((short?.tokensIn ?? 0) * 3);
    const spoken = await modelAt("anthropic", () => streamOf([...begun, words])).model.converse(turn);
    expect(spoken.usage.calls).toMatchObject([{ tokensIn: short?.tokensIn, tokensOut: 1_000, isPriced: false }]);
    expect(spoken.usage.costMicroUsd).toBe(silent.usage.costMicroUsd + 15_000);
  });

  it("is nothing where the request was not accepted, and unknown where a model without a price broke off", async () => {
    const refused = await modelAt("anthropic", () => new Response("{}", { status: 500 })).model.converse(aTurn());
    expect(refused.usage.calls).toMatchObject([{ costMicroUsd: 0, tokensIn: 0, isPriced: true }]);
    const { usage } = await modelAt("compatible", () => streamOf([{ id: "x" }])).model.converse(aTurn());
    expect(usage.calls).toMatchObject([{ costMicroUsd: 0, isPriced: false }]);
  });
});

describe("how an answer ended", () => {
  it.each([
    ["anthropic", "refusal"],
    ["google", "SAFETY"],
    ["openai", "content_filter"],
    ["compatible", "content_filter"],
  ] as const)("is a refusal where %s says %s", async (provider, stop) => {
    expect(await outcomeAt(provider, { stop, text: "No." })).toMatchObject({
      kind: "unreadable",
      usage: { calls: [{ outcome: "refused" }] },
    });
  });

  it.each([
    ["anthropic", "max_tokens"],
    ["google", "MAX_TOKENS"],
    ["openai", "max_output_tokens"],
    ["compatible", "length"],
  ] as const)("is a cut where %s says %s, although what came can be read", async (provider, stop) => {
    expect(await outcomeAt(provider, { stop })).toMatchObject({
      kind: "unreadable",
      usage: { calls: [{ outcome: "cut" }, { outcome: "cut" }] },
    });
  });

  it("is a refusal where Google does not even take the prompt", async () => {
    const blocked = [{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 9 } }];
    const { model } = modelAt("google", () => streamOf(blocked));
    expect(await model.converse(aTurn())).toMatchObject({
      kind: "unreadable",
      usage: { calls: [{ outcome: "refused" }] },
    });
  });

  it("is trouble of the provider where it says so in the middle of its answer", async () => {
    const overloaded = [
      { type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "{" } },
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    ];
    const { model } = modelAt("anthropic", () => streamOf(overloaded));
    expect(await model.converse(aTurn())).toMatchObject({ kind: "failed", why: expect.stringContaining("529") });
  });

  it("is trouble of the provider where nobody is there", async () => {
    const { model } = modelAt("google", () => null);
    expect(await model.converse(aTurn())).toMatchObject({
      kind: "failed",
      usage: { calls: [{ outcome: "unavailable", isPriced: true }] },
    });
  });

  it("is no answer where it is no stream", async () => {
    const { model } = modelAt(
      "openai",
      () => new Response("<html>hello</html>", { headers: { "content-type": "text/html" } }),
    );
    expect(await model.converse(aTurn())).toMatchObject({
      kind: "failed",
      usage: { calls: [{ outcome: "unavailable" }] },
    });
  });
});

it("a model client follows no redirect, which would carry the key elsewhere", async () => {
  const inits: (RequestInit | undefined)[] = [];
  const { model } = modelAt("anthropic", () => null, {
    fetch: async (_, init) => {
      inits.push(init);
      return await Promise.reject(new TypeError("fetch failed"));
    },
  });
  await model.converse(aTurn());
  expect(inits).toMatchObject([{ redirect: "error" }]);
});

describe("whoever asked", () => {
  it("is told of each request as it ends, also of the one that came to nothing", async () => {
    const answers = [
      new Response("busy", { status: 500 }),
      rawResponse("openai", anAnswer("openai", { text: "no JSON" })),
    ];
    const spans = { ...defaultModelCallLimits, triesMax: 2, pauseMs: 1 };
    const { model } = modelAt("openai", () => answers.shift() ?? rawResponse("openai", anAnswer("openai")), {
      durations: spans,
    });
    const told: string[] = [];
    const outcome = await model.converse({ ...aTurn(), onCall: ({ outcome: what }) => told.push(what) });
    expect(outcome.kind).toBe("answered");
    expect(told).toEqual(["unavailable", "unreadable", "answered"]);
  });

  it("is told what a question has cost that was not answered", async () => {
    const { model } = modelAt("openai", () => rawResponse("openai", anAnswer("openai", { text: "" })));
    const calls: ModelCall[] = [];
    const answer = await model.ask({
      purpose: "answer",
      prompt: [{ kind: "instructions", text: "Why?" }],
      answerCharactersMax: 100,
      signal: new AbortController().signal,
      onCall: (call) => calls.push(call),
    });
    const costMicroUsd = calls.reduce((sum, call) => sum + call.costMicroUsd, 0);
    expect(costMicroUsd).toBeGreaterThan(0);
    expect(answer).toMatchObject({ kind: "failed", costMicroUsd });
  });

  it("can ask before what it will cost, where the price is known", () => {
    const tokens = { fresh: 1_000, cached: 10_000, out: 100 };
    const { model } = modelAt("openai", () => new Response());
    // 1,000 at 0.25, 10,000 at 0.025, 100 at 2.
    expect(model.estimate?.(tokens, "now")).toBe(250 + 250 + 200);
    expect(model.estimate?.(tokens, "batch")).toBe(350);
    expect(modelAt("compatible", () => new Response()).model.estimate?.(tokens, "now")).toBeNull();
  });
});
