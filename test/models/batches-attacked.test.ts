import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type BatchProvider,
  createBatchProvider,
  type ProviderManner,
  providerManners,
} from "#batch-providers/batch-provider.ts";
import { modelAt, requestMicroUsd } from "#batch-providers/provider-model.ts";
import { Untrusted } from "#core/model/ids.ts";
import { after, hourMs, minuteMs } from "#core/model/instant.ts";
import type { BatchAnswer, Batches, BatchHandle, BatchProgress, BatchSubmission, Submitted } from "#ports/batches.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";

const Shape = z.strictObject({ word: z.string() });
const { signal } = new AbortController();

interface World {
  readonly provider: BatchProvider;
  readonly clock: VirtualClock;
  readonly batches: Batches;
}

function sayWord(): string {
  return JSON.stringify({ word: "one" });
}

function open(manner: ProviderManner): World {
  const clock = createVirtualClock(at(0));
  const provider = createBatchProvider({ manner, now: () => clock.now(), say: sayWord });
  const { batches } = modelAt({ provider, manner, clock });
  if (batches === undefined) throw new Error("it takes no batches");
  return { provider, clock, batches };
}

function asking({ clock }: World, over: Partial<BatchSubmission> = {}): BatchSubmission {
  const parts = [{ kind: "data", title: "the text", text: Untrusted.parse("a word") }] as const;
  const request = { purpose: "review_find", messages: [{ from: "drover", parts }], shape: Shape } as const;
  const requests = ["one", "two"].map((id) => ({ ...request, id, answerTokensMax: 100 }));
  return { token: "token1", requests, until: after(clock.now(), 4 * minuteMs), signal, ...over };
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

async function submit(world: World, over: Partial<BatchSubmission> = {}): Promise<Submitted> {
  return await timed(world, world.batches.submit(asking(world, over)));
}

async function submitted(world: World): Promise<BatchHandle> {
  const made = await submit(world);
  if (made.kind !== "submitted") throw new Error(`${made.kind}: ${made.why}`);
  return made.handle;
}

async function check(world: World, handle: BatchHandle): Promise<BatchProgress> {
  return await timed(world, world.batches.check(handle, { shape: Shape, signal }));
}

function answersIn(progress: BatchProgress): readonly BatchAnswer[] {
  if (progress.kind !== "ended") throw new Error(`it is ${progress.kind}`);
  return progress.answers;
}

const isResults = ({ path }: { readonly path: string }): boolean =>
  path.endsWith("/results") || path.endsWith("-output/content");

describe.each(providerManners)("batches of %s under attack", (manner) => {
  it("have not come to nothing because somebody else's page came in the place of the results", async () => {
    const world = open(manner);
    const handle = await submitted(world);
    await world.clock.advance(hourMs);
    world.provider.faults.next(isResults, "malformed");
    expect(await check(world, handle)).toMatchObject({ kind: "unavailable" });
    expect(answersIn(await check(world, handle)).map(({ kind }) => kind)).toEqual(["answered", "answered"]);
  });

  it("have cost nobody knows what where an answer came that cannot be read", async () => {
    const world = open(manner);
    const handle = await submitted(world);
    await world.clock.advance(hourMs);
    world.provider.faults.next(isResults, async (work) => {
      const text = await (await work()).text();
      return new Response(text.replace(/"(?:content|output)":/g, '"contents":'), { status: 200 });
    });
    const answers = answersIn(await check(world, handle));
    expect(answers.map(({ kind, call }) => [kind, call.costMicroUsd, call.isPriced])).toEqual([
      ["unanswered", 0, false],
      ["unanswered", 0, false],
    ]);
  });

  it("are read at their own price when another model of the provider has taken the place of theirs", async () => {
    const world = open(manner);
    const handle = await submitted(world);
    await world.clock.advance(hourMs);
    const former = { ...handle, model: handle.model.replace(/-[^-]*$/, "-nano") };
    const answers = answersIn(await check(world, former));
    expect(answers.map(({ call }) => call.model)).toEqual([former.model, former.model]);
    expect(answers.map(({ call }) => call.costMicroUsd)).not.toContain(requestMicroUsd);
    expect(await timed(world, world.batches.cancel(former, signal))).toEqual({ kind: "ends" });
  });

  it("are not begun to be handed over after their time", async () => {
    const world = open(manner);
    const late = await submit(world, { until: world.clock.now() });
    expect(late).toMatchObject({ kind: "refused", isPassing: true });
    expect(world.provider.room.batches).toEqual([]);
    expect([...world.provider.room.files.keys()]).toEqual([]);
  });
});

describe("batches of openai under attack", () => {
  it("are not handed over when the upload of the file has taken all the time", async () => {
    const world = open("openai");
    world.provider.faults.next(
      ({ path }) => path === "/files",
      async (work) => {
        await world.clock.sleep(5 * minuteMs);
        return await work();
      },
    );
    expect(await submit(world)).toMatchObject({ kind: "refused" });
    expect(world.provider.room.batches).toEqual([]);
  });
});
