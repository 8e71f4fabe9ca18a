import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Untrusted } from "#core/model/ids.ts";
import { after, minuteMs } from "#core/model/instant.ts";
import { createModel } from "#models/create-model.ts";
import { defaultModelCallLimits } from "#models/model-settings.ts";
import type { Batches, BatchSubmission } from "#ports/batches.ts";
import { silentLog } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createQuickClock } from "./quick-clock.ts";

/** Batches as somebody else understands OpenAI's documentation, over a real network. */
let mock: LLMock;
let url = "";

beforeAll(async () => {
  mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  url = await mock.start();
});
afterAll(async () => await mock.stop());

const { signal } = new AbortController();
const Shape = z.strictObject({ word: z.string() });
const clock = createQuickClock();

function batchesAt(headers: Readonly<Record<string, string>> = {}): Batches {
  const { batches } = createModel({
    chain: [
      {
        provider: "openai",
        model: "gpt-5-mini",
        baseUrl: `${url}/v1`,
        key: { reveal: () => "key-1" },
        keyName: "OPENAI_API_KEY",
        shapes: null,
      },
    ],
    prices: {},
    durations: defaultModelCallLimits,
    clock,
    random: createSeededRandom(1),
    log: silentLog,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } }),
    onCall: () => undefined,
  });
  if (batches === undefined) throw new Error("it takes no batches");
  return batches;
}

function asking(token: string): BatchSubmission {
  const parts = [{ kind: "data", title: "the text", text: Untrusted.parse("a word") }] as const;
  const request = {
    purpose: "review_find",
    messages: [{ from: "drover", parts }],
    shape: Shape,
    answerTokensMax: 100,
  } as const;
  const until = after(clock.now(), minuteMs);
  return { token, until, signal, requests: ["one", "two"].map((id) => ({ ...request, id })) };
}

describe("batches of OpenAI, played by somebody else", () => {
  it("are submitted, found by their token, and read", async () => {
    const batches = batchesAt();
    const submitted = await batches.submit(asking("token7"));
    if (submitted.kind !== "submitted") throw new Error(`it is ${submitted.kind}: ${submitted.why}`);
    const { handle } = submitted;
    const since = clock.now();
    const wanted = { since, until: after(since, 3 * minuteMs), requests: 2 };
    expect(await batches.find({ ...wanted, token: "token7" }, signal)).toEqual({ kind: "found", handle });
    expect(await batches.find({ ...wanted, token: "token8" }, signal)).toEqual({ kind: "none" });
    expect(await batches.check(handle, { shape: Shape, signal })).toEqual({ kind: "running" });
    const ended = await batches.check(handle, { shape: Shape, signal });
    const answers = ended.kind === "ended" ? ended.answers : [];
    // What it says there is no JSON.
    expect(answers.map(({ id, kind }) => [id, kind])).toEqual([
      ["one", "unreadable"],
      ["two", "unreadable"],
    ]);
    await batches.forget(handle, signal);
  });

  it("end when they are cancelled", async () => {
    const batches = batchesAt();
    const submitted = await batches.submit(asking("token9"));
    if (submitted.kind !== "submitted") throw new Error("it was not taken");
    expect(await batches.cancel(submitted.handle, signal)).toEqual({ kind: "ends" });
    expect(await batches.check(submitted.handle, { shape: Shape, signal })).toMatchObject({
      kind: "ended",
      how: "cancelled",
    });
    expect(await batches.cancel(submitted.handle, signal)).toEqual({ kind: "ends" });
  });

  it.each([
    ["failed", "failed"],
    ["expired", "ended"],
  ])("that are %s are told", async (outcome, kind) => {
    const batches = batchesAt({ "x-aimock-batch-outcome": outcome });
    const submitted = await batches.submit(asking(`token-${outcome}`));
    if (submitted.kind !== "submitted") throw new Error("it was not taken");
    await batches.check(submitted.handle, { shape: Shape, signal });
    expect((await batches.check(submitted.handle, { shape: Shape, signal })).kind).toBe(kind);
  });

  it("are told apart from those that it does not know", async () => {
    const handle = { id: "batch_none", model: "openai/gpt-5-mini" };
    expect(await batchesAt().check(handle, { shape: Shape, signal })).toMatchObject({ kind: "failed" });
    expect(await batchesAt().cancel(handle, signal)).toEqual({ kind: "ends" });
  });
});
