import { describe, expect, it } from "vitest";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import { createTurnstile } from "./turnstile.ts";

/** Longer than an immediate, like a call that leaves the process. */
async function outside(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 1);
  });
}

describe("the turnstile", () => {
  it("lets calls through one at a time, in the order in which they were made, whatever port they are of", async () => {
    const turnstile = createTurnstile();
    const heard: string[] = [];
    const port = {
      call: async (name: string) => {
        heard.push(`${name} in`);
        await outside();
        heard.push(`${name} out`);
        return name;
      },
    };
    const [one, other] = [turnstile.through(port), turnstile.through(port)];
    expect(await Promise.all([one.call("a"), other.call("b"), one.call("c")])).toEqual(["a", "b", "c"]);
    expect(heard).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  it("tells of calls that are under way until the last one has ended", async () => {
    const turnstile = createTurnstile();
    expect(turnstile.underWay()).toBeUndefined();
    const calls = [turnstile.pass(outside), turnstile.pass(outside)];
    expect(turnstile.underWay()).toBeDefined();
    await Promise.all(calls);
    await turnstile.underWay();
    expect(turnstile.underWay()).toBeUndefined();
  });

  it("is not blocked by a call that fails, whose error is its caller's", async () => {
    const turnstile = createTurnstile();
    const failed = turnstile.pass(async () => {
      throw new Error("no such table");
    });
    const next = turnstile.pass(async () => "next");
    await expect(failed).rejects.toThrow("no such table");
    expect(await next).toBe("next");
  });

  it("holds the time while somebody is in it, also for calls that follow from the first", async () => {
    const turnstile = createTurnstile();
    const clock = createVirtualClock(at(0), turnstile.underWay);
    const times: number[] = [];
    const work = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        await turnstile.pass(outside);
        times.push(clock.now() - at(0));
      }
    };
    const working = work();
    await clock.advance(1000);
    expect(times).toEqual([0, 0, 0]);
    await working;
  });
});
