import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { defaultModelCallLimits } from "#models/model-settings.ts";
import { answered, aTurn, entryOf, good, type ModelWorld, refused } from "./model-world.ts";
import { useModelWorld } from "./use-model-world.ts";

let world: ModelWorld;
useModelWorld((opened) => {
  world = opened;
});

/** The pauses between tries; all other sleeps are limits that nobody reached. */
function pauses(): readonly number[] {
  return world.clock.sleeps.filter((ms) => ms > 0 && ms < minuteMs);
}

describe("a chain of models", () => {
  const chain = [entryOf("anthropic"), entryOf("openai")];

  it("goes on to the next one, and says so, when one is out", async () => {
    world.script(...Array.from({ length: defaultModelCallLimits.triesMax }, () => refused(529)), answered);
    const result = await world.modelOf(chain).converse(aTurn());
    expect(result).toMatchObject({ kind: "answered", value: good });
    expect(world.calls.map((call) => call.model.split("/")[0])).toEqual([
      ...Array.from({ length: defaultModelCallLimits.triesMax }, () => "anthropic"),
      "openai",
    ]);
    expect(world.warnings).toMatchObject([
      { message: "model is out, asking the next", next: "openai/gpt-5-mini", why: expect.stringContaining("529") },
    ]);
  });

  it("goes on at once where a key is wrong, and says which", async () => {
    world.script(refused(401), answered);
    const result = await world.modelOf(chain).converse(aTurn());
    expect(result.kind).toBe("answered");
    expect(world.warnings).toMatchObject([{ why: expect.stringContaining("ANTHROPIC_API_KEY") }]);
  });

  it("leaves a model alone for as long as it asked for, in other turns too", async () => {
    world.script(refused(429, { retryAfter: 3600 }), answered, answered);
    const model = world.modelOf(chain);
    await model.converse(aTurn());
    const second = await model.converse(aTurn());
    expect(second.kind).toBe("answered");
    expect(world.calls.map(({ model: name, outcome }) => `${name.split("/")[0]} ${outcome}`)).toEqual([
      "anthropic rate_limited",
      "openai answered",
      "openai answered",
    ]);
  });

  it("fails with the first time at which somebody can be asked when all are out", async () => {
    world.script(refused(429, { retryAfter: 7200 }), refused(429, { retryAfter: 3600 }));
    const before = world.clock.now();
    const result = await world.modelOf(chain).converse(aTurn());
    if (result.kind !== "failed") throw new Error(result.kind);
    expect(result.why).toContain("anthropic/");
    expect(result.why).toContain("openai/");
    expect((result.retryAt ?? 0) - before).toBeGreaterThanOrEqual(3600 * secondMs);
    expect((result.retryAt ?? 0) - before).toBeLessThan(7200 * secondMs);
  });

  it("is not gone through for another opinion", async () => {
    const bad = { response: { content: "no" } };
    world.script(bad, bad, answered);
    const result = await world.modelOf(chain).converse(aTurn());
    expect(result.kind).toBe("unreadable");
  });
});

describe("pauses that nobody asked for", () => {
  it("grow, and are not the same for everybody", async () => {
    world.script(refused(500), refused(500), refused(500), answered);
    await world.modelOf([entryOf("compatible")]).converse(aTurn());
    const [first = 0, second = 0, third = 0] = pauses();
    expect(pauses()).toHaveLength(3);
    for (const [index, pause] of [first, second, third].entries()) {
      expect(pause).toBeGreaterThanOrEqual(defaultModelCallLimits.pauseMs * 2 ** index);
      expect(pause).toBeLessThanOrEqual(defaultModelCallLimits.pauseMs * 2 ** index * 1.5);
    }
    expect(new Set([first, second / 2, third / 4]).size).toBe(3);
  });
});
