import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "#git/run-git.ts";

interface Work {
  readonly run: () => Promise<void>;
  readonly end: () => void;
  readonly hasBegun: () => boolean;
}

/** Work that ends when it is told to. */
function work(): Work {
  const control = new AbortController();
  let hasBegun = false;
  const ended = once(control.signal, "abort");
  const run = async (): Promise<void> => {
    hasBegun = true;
    await ended;
  };
  return { run, end: () => control.abort(), hasBegun: () => hasBegun };
}

describe("slots", () => {
  it("let so many work at the same time, and the next when one has ended, also badly", async () => {
    const slots = createConcurrencyLimit(2);
    const [first, second, third] = [work(), work(), work()];
    const failing = slots.take(async () => {
      await first.run();
      throw new Error("no");
    }, undefined);
    const others = [second, third].map(({ run }) => slots.take(run, undefined));
    expect([second.hasBegun(), third.hasBegun()]).toEqual([true, false]);
    first.end();
    await expect(failing).rejects.toThrow("no");
    expect(third.hasBegun()).toBe(true);
    for (const { end } of [second, third]) end();
    await Promise.all(others);
  });

  it("are given to the next but one when the next has given up", async () => {
    const slots = createConcurrencyLimit(1);
    const [first, second, third] = [work(), work(), work()];
    const control = new AbortController();
    const running = slots.take(first.run, undefined);
    const givenUp = slots.take(second.run, control.signal);
    const last = slots.take(third.run, undefined);
    control.abort();
    await expect(givenUp).rejects.toMatchObject({ kind: "cancelled" });
    first.end();
    third.end();
    await Promise.all([running, last]);
    expect([second.hasBegun(), third.hasBegun()]).toEqual([false, true]);
  });
});
