import { describe, expect, it } from "vitest";
import { z } from "zod";
import { minuteMs } from "#core/model/instant.ts";
import type { ModelTool } from "#ports/model.ts";
import { answered, aTurn, entryOf, type ModelWorld, providers, refused, type Scripted } from "./model-world.ts";
import { useModelWorld } from "./use-model-world.ts";

let world: ModelWorld;
useModelWorld((opened) => {
  world = opened;
});

/** So slow that nobody waits for its end. */
const slow: Scripted = { ...answered, chunkSize: 1, streamingProfile: { ttft: 5, tps: 8 } };
/** So late that nobody waits for its beginning. */
const late: Scripted = { ...answered, latency: 60_000 };

describe.each(providers)("a turn with %s", (provider) => {
  it("ends soon after nobody wants it any more", async () => {
    world.script(slow);
    const stop = new AbortController();
    const turn = world.modelOf([entryOf(provider), entryOf("compatible")]).converse(aTurn({ signal: stop.signal }));
    while (world.requests.length === 0) await moment();
    await moment();
    stop.abort();
    expect(await turn).toMatchObject({ kind: "failed", retryAt: null, usage: { calls: [{ outcome: "aborted" }] } });
    expect(world.warnings.filter(({ next }) => next !== undefined)).toEqual([]);
  });
});

describe("the time of a turn", () => {
  it("runs out for the turn as a whole, whoever is being asked", async () => {
    world.script(late);
    // On the quick clock long enough for the call to have begun.
    const limits = { answerTokensMax: 100, toolCallsMax: 0, timeMsMax: minuteMs };
    const result = await world.modelOf([entryOf("openai"), entryOf("google")]).converse(aTurn({ limits }));
    expect(result).toMatchObject({ kind: "failed", why: "no answer within 1 min", retryAt: null });
    expect(world.calls).toMatchObject([{ outcome: "timed_out" }]);
  });

  it("ends in the middle of a pause", async () => {
    world.script(refused(429, { retryAfter: 50 }), answered);
    const stop = new AbortController();
    const turn = world.modelOf([entryOf("openai")]).converse(aTurn({ signal: stop.signal }));
    while (world.calls.length === 0) await moment();
    stop.abort();
    expect(await turn).toMatchObject({ kind: "failed", why: "nobody wants the answer any more", retryAt: null });
    expect(world.requests).toHaveLength(1);
  });

  it("does not begin where nobody wants the answer", async () => {
    const result = await world.modelOf([entryOf("openai")]).converse(aTurn({ signal: AbortSignal.abort() }));
    expect(result).toMatchObject({ kind: "failed", usage: { calls: [], costMicroUsd: 0 } });
    expect(world.requests).toEqual([]);
  });
});

const Path = z.object({ path: z.string() });

function toolThat(run: ModelTool["run"]): ModelTool {
  return { name: "read_file", words: "Reads a file.", input: Path, run };
}

function calling(...inputs: readonly string[]): Scripted {
  return { response: { toolCalls: inputs.map((input) => ({ name: "read_file", arguments: input })) } };
}

/** What the tools answered, as the last request tells the model. */
function toolAnswers(): string {
  return world.requests.at(-1)?.body ?? "";
}

describe("calls of tools", () => {
  const one = '{"path":"a"}';

  it("are counted, and the model is told when none are left", async () => {
    let runs = 0;
    const tool = toolThat(async () => await Promise.resolve(`run ${++runs}`));
    world.script(calling(one, one), calling(one, one), answered);
    const limits = { answerTokensMax: 100, toolCallsMax: 3, timeMsMax: minuteMs * 60 };
    const result = await world.modelOf([entryOf("anthropic")]).converse(aTurn({ tools: [tool], limits }));
    expect(result.kind).toBe("answered");
    expect(runs).toBe(3);
    expect(toolAnswers()).toContain("No calls are left.");
  });

  it("are the end of the turn where a model does not stop", async () => {
    world.script(...Array.from({ length: 9 }, () => calling(one)));
    const limits = { answerTokensMax: 100, toolCallsMax: 0, timeMsMax: minuteMs * 60 };
    const tool = toolThat(async () => await Promise.reject(new Error("never called")));
    const result = await world.modelOf([entryOf("google")]).converse(aTurn({ tools: [tool], limits }));
    expect(result).toMatchObject({ kind: "unreadable", why: expect.stringContaining("went on calling tools") });
    expect(world.calls).toHaveLength(3);
  });

  it.each([
    ['{"path":5}', "The arguments are wrong. path:"],
    ["{path}", "The arguments cannot be read as JSON."],
  ])("with the arguments %s are answered and not run", async (input, words) => {
    let runs = 0;
    const tool = toolThat(async () => await Promise.resolve(`run ${++runs}`));
    world.script(calling(input), answered);
    const result = await world.modelOf([entryOf("compatible")]).converse(aTurn({ tools: [tool] }));
    expect(result.kind).toBe("answered");
    expect(toolAnswers()).toContain(words);
    expect(runs).toBe(0);
  });

  it("in an answer that was cut off are not run: half of the arguments may be missing", async () => {
    let runs = 0;
    const tool = toolThat(async () => await Promise.resolve(`run ${++runs}`));
    const toolCalls = [{ name: "read_file", arguments: one }];
    world.script({ response: { toolCalls, finishReason: "length" } }, answered);
    const result = await world.modelOf([entryOf("compatible")]).converse(aTurn({ tools: [tool] }));
    expect(result.kind).toBe("answered");
    expect(world.calls.map((call) => call.outcome)).toEqual(["cut", "answered"]);
    expect(runs).toBe(0);
  });

  it("that do not exist are answered with those that do", async () => {
    world.script({ response: { toolCalls: [{ name: "delete_file", arguments: one }] } }, answered);
    const tool = toolThat(async () => await Promise.resolve(""));
    await world.modelOf([entryOf("openai")]).converse(aTurn({ tools: [tool] }));
    expect(toolAnswers()).toContain("There is no such tool. There are: read_file.");
  });

  it("that fail say nothing of the machine they ran on", async () => {
    const tool = toolThat(async () => await Promise.reject(new Error("ENOENT /srv/secret/place")));
    world.script(calling(one), answered);
    await world.modelOf([entryOf("anthropic")]).converse(aTurn({ tools: [tool] }));
    expect(toolAnswers()).toContain("The tool failed.");
    expect(toolAnswers()).not.toContain("/srv/secret");
  });

  it("that never end are given up", async () => {
    world.script(calling(one), answered);
    const tool = toolThat(never);
    const result = await world.modelOf([entryOf("anthropic")]).converse(aTurn({ tools: [tool] }));
    expect(result.kind).toBe("answered");
    expect(toolAnswers()).toContain("took too long");
  });

  it("that are given up are told, so that nothing goes on behind the review", async () => {
    world.script(calling(one), answered);
    const told: AbortSignal[] = [];
    const tool = {
      ...toolThat(never),
      run: async (_: unknown, signal: AbortSignal) => {
        told.push(signal);
        return await never();
      },
    };
    await world.modelOf([entryOf("anthropic")]).converse(aTurn({ tools: [tool] }));
    expect(told.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("end with the turn", async () => {
    const stop = new AbortController();
    world.script(calling(one), answered);
    const tool = toolThat(async () => {
      stop.abort();
      return await never();
    });
    const result = await world.modelOf([entryOf("anthropic")]).converse(aTurn({ tools: [tool], signal: stop.signal }));
    expect(result.kind).toBe("failed");
    expect(world.requests).toHaveLength(1);
  });

  it("are answered with no more than a model can use", async () => {
    world.script(calling(one), answered);
    const tool = toolThat(async () => await Promise.resolve("x".repeat(1_000_000)));
    await world.modelOf([entryOf("anthropic")]).converse(aTurn({ tools: [tool] }));
    expect(toolAnswers().length).toBeLessThan(50_000);
    expect(toolAnswers()).toContain("[cut off here]");
  });
});

describe("a server that does not stop talking", () => {
  it("is cut off, whatever it was told", async () => {
    world.script({ response: { content: "x".repeat(200_000) }, chunkSize: 1_000 });
    const limits = { answerTokensMax: 100, toolCallsMax: 0, timeMsMax: minuteMs * 60 };
    const result = await world.modelOf([entryOf("compatible")]).converse(aTurn({ limits }));
    expect(result.usage.calls[0]).toMatchObject({ outcome: "cut", isPriced: false });
  });
});

async function never(): Promise<string> {
  return await new Promise(() => undefined);
}

async function moment(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
}
