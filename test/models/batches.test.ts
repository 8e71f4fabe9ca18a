import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type BatchProvider,
  createBatchProvider,
  type ProviderManner,
  type ProviderOptions,
  providerManners,
} from "#batch-providers/batch-provider.ts";
import { modelAt, requestMicroUsd } from "#batch-providers/provider-model.ts";
import { Untrusted } from "#core/model/ids.ts";
import { after, hourMs, minuteMs } from "#core/model/instant.ts";
import type { BatchAnswer, Batches, BatchHandle, BatchProgress, BatchQuery, BatchSubmission } from "#ports/batches.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";

const Shape = z.strictObject({ word: z.string() });

interface World {
  readonly provider: BatchProvider;
  readonly clock: VirtualClock;
  readonly batches: Batches;
}

function open(manner: ProviderManner, over: Partial<ProviderOptions> = {}): World {
  const clock = createVirtualClock(at(0));
  const provider = createBatchProvider({
    manner,
    now: () => clock.now(),
    say: (prompt) => JSON.stringify({ word: prompt.includes("second") ? "two" : "one" }),
    ...over,
  });
  const { batches } = modelAt({ provider, manner, clock });
  if (batches === undefined) throw new Error("it takes no batches");
  return { provider, clock, batches };
}

const { signal } = new AbortController();

function asking(token: string, ...words: readonly string[]): BatchSubmission {
  return {
    token,
    until: at(60),
    signal,
    requests: words.map((word) => ({
      id: `${word}-find`,
      purpose: "review_find",
      messages: [
        {
          from: "drover",
          parts: [
            { kind: "instructions", text: "Say a word." },
            { kind: "data", title: "the text", text: Untrusted.parse(`about ${word}`) },
            { kind: "instructions", text: "Now." },
          ],
        },
      ],
      shape: Shape,
      answerTokensMax: 500,
    })),
  };
}

/** Lets time pass while somebody waits for it. */
async function timed<Result>({ clock }: World, work: Promise<Result>): Promise<Result> {
  for (;;) {
    const later = clock.advance(1_000).then(() => notYet);
    const first = await Promise.race([work, later]);
    await later;
    if (first !== notYet) return await work;
  }
}

const notYet = Symbol("not yet");

async function submitted(world: World, ...words: readonly string[]): Promise<BatchHandle> {
  const made = await timed(world, world.batches.submit(asking("token1", ...words)));
  if (made.kind !== "submitted") throw new Error(`${made.kind}: ${made.why}`);
  return made.handle;
}

async function check(world: World, handle: BatchHandle): Promise<BatchProgress> {
  return await timed(world, world.batches.check(handle, { shape: Shape, signal }));
}

async function ended(world: World, handle: BatchHandle): Promise<readonly BatchAnswer[]> {
  const progress = await check(world, handle);
  if (progress.kind !== "ended") throw new Error(`it is ${progress.kind}`);
  return progress.answers.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function wanted(world: World, requests: number): BatchQuery {
  const since = world.clock.now();
  return { token: "token1", since, until: after(since, 3 * minuteMs), requests };
}

const isSubmit = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && (path === "/batches" || path === "/messages/batches");

describe.each(providerManners)("batches of %s", (manner) => {
  it("come back with each answer under the name of its request, whatever their order", async () => {
    const world = open(manner);
    const handle = await submitted(world, "first", "second");
    expect(await check(world, handle)).toEqual({ kind: "running" });
    await world.clock.advance(hourMs);
    const answers = await ended(world, handle);
    expect(answers.map((answer) => [answer.id, answer.kind === "answered" && answer.value])).toEqual([
      ["first-find", { word: "one" }],
      ["second-find", { word: "two" }],
    ]);
  });

  it("cost half of what live calls cost, each call under a name of its own", async () => {
    const world = open(manner);
    const handle = await submitted(world, "first", "second");
    await world.clock.advance(hourMs);
    const calls = (await ended(world, handle)).map(({ call }) => call);
    expect(calls.map(({ costMicroUsd, isPriced }) => [costMicroUsd, isPriced])).toEqual([
      [requestMicroUsd, true],
      [requestMicroUsd, true],
    ]);
    expect(calls.map(({ id, delivery }) => [id, delivery])).toEqual([
      [`${handle.id}/first-find`, "batch"],
      [`${handle.id}/second-find`, "batch"],
    ]);
  });

  it("say to the model what a live call would say", async () => {
    const world = open(manner);
    const live = modelAt({ provider: world.provider, manner, clock: world.clock });
    const [request] = asking("token1", "first").requests;
    await submitted(world, "first");
    await timed(
      world,
      live.converse({
        purpose: "review_find",
        messages: request?.messages ?? [],
        shape: Shape,
        tools: [],
        limits: { answerTokensMax: 500, toolCallsMax: 0, timeMsMax: hourMs },
        signal,
      }),
    );
    const told: unknown = JSON.parse(world.provider.liveCalls[0] ?? "null");
    const Body = z.record(z.string(), z.unknown());
    const { stream, ...spoken } = Body.parse(JSON.parse(JSON.stringify(told, withoutMarks)));
    expect(stream).toBe(true);
    expect(wordsIn(world.provider.room.batches[0]?.requests[0]?.body)).toEqual(wordsIn(spoken));
  });

  it("are submitted once, whatever the wire does", async () => {
    for (const fault of [
      "lost",
      "applied_503",
      "refused_503",
      "dropped",
      "malformed",
      "rate_limited",
      "unreachable",
    ] as const) {
      const world = open(manner);
      world.provider.faults.next(isSubmit, fault);
      const made = await timed(world, world.batches.submit(asking("token1", "first")));
      const isKnown = fault === "rate_limited" || fault === "unreachable";
      expect([fault, made.kind]).toEqual([fault, isKnown ? "refused" : "unknown"]);
      expect(world.provider.room.batches.length).toBeLessThanOrEqual(1);
    }
  });

  it("are found again by their token among those of others", async () => {
    const world = open(manner);
    const ask = wanted(world, 1);
    await world.batches.submit(asking("other1", "first"));
    world.provider.faults.next(isSubmit, "lost");
    await timed(world, world.batches.submit(asking("token1", "second")));
    for (const other of ["other2", "other3", "other4"]) await world.batches.submit(asking(other, "first"));
    await world.clock.advance(hourMs);
    const found = await timed(world, world.batches.find(ask, signal));
    expect(found).toMatchObject({ kind: "found", handle: { id: world.provider.room.batches[1]?.id } });
  });

  it("are said not to be there when they are not", async () => {
    const world = open(manner);
    const ask = wanted(world, 1);
    await world.batches.submit(asking("other1", "first"));
    await world.clock.advance(hourMs);
    expect(await timed(world, world.batches.find(ask, signal))).toEqual({ kind: "none" });
  });

  it("are said to be unknown where the list cannot be had", async () => {
    const world = open(manner);
    const ask = wanted(world, 1);
    world.provider.faults.next(({ path }) => path.includes("limit="), "dropped", 10);
    expect(await timed(world, world.batches.find(ask, signal))).toMatchObject({ kind: "cannot_tell" });
  });

  it("are read in spite of failures that pass", async () => {
    const world = open(manner);
    const handle = await submitted(world, "first");
    await world.clock.advance(hourMs);
    world.provider.faults.next(({ method }) => method === "GET", "refused_503", 2);
    expect(await ended(world, handle)).toHaveLength(1);
  });

  it("tell apart what was answered, went wrong, and was not come to", async () => {
    const fates = ["answered", "errored", "expired", "missing", "garbage"] as const;
    const world = open(manner, { requestFate: (_, index) => fates[index] ?? "answered" });
    const handle = await submitted(world, "a", "b", "c", "d", "e");
    await world.clock.advance(hourMs);
    const answers = await ended(world, handle);
    expect(answers.map((answer) => [answer.id, answer.kind, "why" in answer ? answer.why : null])).toEqual([
      ["a-find", "answered", null],
      ["b-find", "unanswered", "failed"],
      ["c-find", "unanswered", "expired"],
    ]);
    expect(answers.map(({ call }) => call.costMicroUsd)).toEqual([requestMicroUsd, 0, 0]);
  });

  it("count an answer of another shape as unreadable, and paid for", async () => {
    const world = open(manner, { say: () => "no JSON at all" });
    const handle = await submitted(world, "first");
    await world.clock.advance(hourMs);
    const [answer] = await ended(world, handle);
    expect(answer).toMatchObject({
      kind: "unreadable",
      call: { costMicroUsd: requestMicroUsd, outcome: "unreadable" },
    });
  });

  it("end when they are cancelled, with what was answered by then", async () => {
    const world = open(manner);
    const handle = await submitted(world, "first", "second");
    await world.clock.advance(minuteMs);
    expect(await timed(world, world.batches.cancel(handle, signal))).toEqual({ kind: "ends" });
    expect(await check(world, handle)).toEqual({ kind: "running" });
    await world.clock.advance(5 * minuteMs);
    expect(await check(world, handle)).toMatchObject({ kind: "ended", how: "cancelled" });
    expect((await ended(world, handle)).map((one) => one.kind)).toEqual(["answered", "unanswered"]);
    expect(await timed(world, world.batches.cancel(handle, signal))).toEqual({ kind: "ends" });
  });

  it("are not there any more for a model that was not asked", async () => {
    const world = open(manner);
    const handle = await submitted(world, "first");
    expect(await check(world, { ...handle, model: "other/model" })).toMatchObject({ kind: "failed" });
    expect(await check(world, { ...handle, id: "batch_77" })).toMatchObject({ kind: "failed" });
  });

  it("leave nothing with the provider once they are forgotten", async () => {
    const world = open(manner);
    const handle = await submitted(world, "first");
    await world.clock.advance(hourMs);
    await ended(world, handle);
    await timed(world, world.batches.forget(handle, signal));
    expect([...world.provider.room.files.keys()]).toEqual([]);
    // OpenAI keeps the batch itself, in which nothing is said.
    expect(world.provider.room.find(handle.id) === undefined).toBe(manner === "anthropic");
  });
});

describe("batches of openai", () => {
  it("leave no file behind where the batch was refused, and keep it where it may be there", async () => {
    for (const [fault, files] of [
      ["rate_limited", 0],
      ["unreachable", 0],
      ["lost", 1],
      ["refused_503", 1],
    ] as const) {
      const world = open("openai");
      world.provider.faults.next(isSubmit, fault);
      await timed(world, world.batches.submit(asking("token1", "first")));
      expect([fault, world.provider.room.files.size]).toEqual([fault, files]);
    }
  });

  it("fail as a whole with the provider's words", async () => {
    const world = open("openai", { fate: () => "fails" });
    const handle = await submitted(world, "first");
    const progress = await check(world, handle);
    expect(progress).toEqual({
      kind: "failed",
      why: "openai/gpt-5-mini refused the batch: the file cannot be worked on",
    });
  });

  it("may be completed without any output", async () => {
    const world = open("openai", { requestFate: () => "missing" });
    const handle = await submitted(world, "first");
    await world.clock.advance(hourMs);
    expect(await check(world, handle)).toEqual({ kind: "ended", how: "completed", answers: [] });
  });

  it("expire after a day, and keep what was answered", async () => {
    const world = open("openai", { fate: () => "expires" });
    const handle = await submitted(world, "first", "second");
    await world.clock.advance(25 * hourMs);
    expect(await check(world, handle)).toMatchObject({ kind: "ended", how: "expired" });
    expect((await ended(world, handle)).map((one) => one.kind)).toEqual(["answered", "unanswered"]);
  });
});

describe("batches of anthropic", () => {
  it("cannot be told from others of their age and size before they end", async () => {
    const world = open("anthropic");
    const ask = wanted(world, 1);
    await world.batches.submit(asking("other1", "first"));
    expect(await timed(world, world.batches.find(ask, signal))).toMatchObject({ kind: "cannot_tell" });
    expect(await timed(world, world.batches.find({ ...ask, requests: 2 }, signal))).toEqual({ kind: "none" });
    expect(
      await timed(
        world,
        world.batches.find({ ...ask, since: after(ask.since, hourMs), until: after(ask.since, 2 * hourMs) }, signal),
      ),
    ).toEqual({ kind: "none" });
  });
});

/** Marks for a cache are all that a batch leaves out, and the cuts between texts that are made for their sake. */
function wordsIn(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    const parts = key === "content" ? Texts.safeParse(value).data : undefined;
    return parts === undefined ? value : parts.map(({ text }) => text).join("\n\n");
  });
}

function withoutMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value;
}

const Texts = z.array(z.object({ text: z.string() }));
