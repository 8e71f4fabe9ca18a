import { describe, expect, it } from "vitest";
import { instant, secondMs } from "#core/model/instant.ts";
import { createModel } from "#models/create-model.ts";
import { defaultModelCallLimits, type ModelProvider } from "#models/model-settings.ts";
import type { Model, ModelCall } from "#ports/model.ts";
import { silentLog } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";
import { aTurn, at, entryOf, good, providers } from "./model-world.ts";
import { rawLines } from "./raw-wires.ts";

/** A line on which the other end speaks when it is told to, and time passes when it is told to. */
interface QuietLine {
  readonly model: Model;
  readonly clock: VirtualClock;
  readonly calls: readonly ModelCall[];
  /** Streams in the order in which they were asked for. */
  readonly streams: readonly ReadableStreamDefaultController<Uint8Array>[];
}

const { silenceMsMax } = defaultModelCallLimits;

function openLine(provider: ModelProvider, answers: "streams" | "nothing"): QuietLine {
  const clock = createVirtualClock(instant(1_700_000_000_000));
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const calls: ModelCall[] = [];
  const model = createModel({
    chain: [at("http://127.0.0.1:9", entryOf(provider))],
    prices: {},
    durations: { ...defaultModelCallLimits, triesMax: 2 },
    clock,
    random: createSeededRandom(1),
    log: silentLog,
    fetch: async () => {
      if (answers === "nothing") return await new Promise<Response>(() => undefined);
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    onCall: (call) => calls.push(call),
  });
  return { model, clock, calls, streams };
}

const answer = {
  text: JSON.stringify(good),
  tokensIn: 100,
  tokensCached: 0,
  tokensCacheWritten: 0,
  tokensOut: 10,
};

const stops = { anthropic: "end_turn", openai: "completed", google: "STOP", openrouter: "stop", compatible: "stop" };

describe.each(providers)("silence of %s", (provider) => {
  it("is not what a slow answer is", async () => {
    const { model, clock, streams } = openLine(provider, "streams");
    const turn = model.converse(aTurn());
    await until(() => streams.length === 1);
    for (const line of rawLines(provider, { ...answer, stop: stops[provider] })) {
      await clock.advance(silenceMsMax - secondMs);
      streams[0]?.enqueue(new TextEncoder().encode(line));
      await moment();
    }
    streams[0]?.close();
    expect(await turn).toMatchObject({ kind: "answered", value: good });
  });

  it("in the middle of an answer is noticed, and another try is made", async () => {
    const { model, clock, calls, streams } = openLine(provider, "streams");
    const turn = model.converse(aTurn());
    await until(() => streams.length === 1);
    streams[0]?.enqueue(new TextEncoder().encode(": still here\n\n"));
    await moment();
    await clock.advance(silenceMsMax);
    await passing(clock, () => streams.length === 2);
    const lines = rawLines(provider, { ...answer, stop: stops[provider] });
    streams[1]?.enqueue(new TextEncoder().encode(lines.join("")));
    streams[1]?.close();
    expect(await turn).toMatchObject({ kind: "answered", value: good });
    expect(calls.map(({ outcome }) => outcome)).toEqual(["timed_out", "answered"]);
  });
});

it("notices the silence of somebody who never answers, even where nothing can be aborted", async () => {
  const { model, clock, calls } = openLine("compatible", "nothing");
  let isOver = false;
  const turn = model.converse(aTurn()).finally(() => {
    isOver = true;
  });
  await passing(clock, () => isOver);
  expect(await turn).toMatchObject({ kind: "failed", why: expect.stringContaining("said nothing for 180 s") });
  expect(calls.map(({ outcome }) => outcome)).toEqual(["timed_out", "timed_out"]);
});

it("a stream that has ended leaves no timer behind", async () => {
  const { model, clock, streams } = openLine("google", "streams");
  const turn = model.converse(aTurn());
  await until(() => streams.length === 1);
  streams[0]?.enqueue(new TextEncoder().encode(rawLines("google", { ...answer, stop: "STOP" }).join("")));
  streams[0]?.close();
  await turn;
  expect(clock.nextWake()).toBeUndefined();
});

/** Lets time pass in small steps until something has happened. */
async function passing(clock: VirtualClock, hasHappened: () => boolean): Promise<void> {
  while (!hasHappened()) {
    await clock.advance(secondMs);
    await moment();
  }
}

async function until(hasHappened: () => boolean): Promise<void> {
  while (!hasHappened()) await moment();
}

async function moment(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
