// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botWords, managedComments, reactionsOn } from "#harness/sights.ts";

/** Counts every call that reaches the forge from now on. */
function countCalls(harness: Harness): () => number {
  let calls = 0;
  harness.faults.always(
    () => {
      calls++;
      return false;
    },
    { kind: "expired_token" },
  );
  return () => calls;
}

describe.each(manners)("limits of a %s", (manner) => {
  it("keep the whole installation quiet for as long as the forge said", async () => {
    const harness = await buildHarness({ manner, isPaced: true });
    harness.hire();
    const pulls = [
      await harness.open({ branch: "one" }),
      await harness.open({ branch: "two", files: { "a.md": "a\n" } }),
    ];
    await harness.settle();
    await harness.pass(minuteMs);
    harness.faults.next("get_pull", { kind: "rate_limited", retryAfterMs: 5 * minuteMs });
    for (const pull of pulls) await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(secondMs);
    const calls = countCalls(harness);
    await harness.pass(4 * minuteMs);
    expect(calls()).toBe(0);
    await harness.pass(10 * minuteMs);
    for (const pull of pulls) expect(botWords(harness, pull)).toHaveLength(1);
  });

  it("are waited for at least a minute where the forge names no time, and longer each time", async () => {
    const harness = await buildHarness({ manner, isPaced: true });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(minuteMs);
    const silent = { kind: "rate_limited", retryAfterMs: null } as const;
    harness.faults.next("get_pull", silent, silent);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(secondMs);
    const calls = countCalls(harness);
    await harness.pass(55 * secondMs);
    expect(calls()).toBe(0);
    // The second refusal comes now, and is waited for twice as long.
    await harness.pass(10 * secondMs);
    const afterSecond = calls();
    await harness.pass(105 * secondMs);
    expect(calls()).toBe(afterSecond);
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
  });

  it.each([60 * secondMs, null])(
    "in the middle of a plan stop it there, and the rest is done later (%s)",
    async (ms) => {
      const harness = await buildHarness({ manner, isPaced: true });
      const pull = await harness.open();
      await harness.settle();
      await harness.pass(minuteMs);
      harness.faults.next("create_comment", { kind: "rate_limited", retryAfterMs: ms });
      const first = await harness.as(harness.rita).comment(pull, "@drover status");
      const second = await harness.as(harness.rita).comment(pull, "@drover hold");
      await harness.pass(20 * secondMs);
      expect(reactionsOn(harness, pull, first)).toEqual(["+1"]);
      expect(reactionsOn(harness, pull, second)).toEqual([]);
      await harness.pass(5 * minuteMs);
      expect(botWords(harness, pull)).toHaveLength(1);
      expect(reactionsOn(harness, pull, second)).toEqual(["+1"]);
      expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
    },
  );

  it("let at most one write a second through, over all workers", async () => {
    const harness = await buildHarness({ manner, isPaced: true });
    harness.hire();
    for (const branch of ["one", "two", "three"])
      await harness.open({ branch, files: { [`${branch}.md`]: `${branch}\n` } });
    await harness.pass(5 * minuteMs);
    const writes = harness.sandbox.history.filter(({ by }) => by.id === harness.bot.id).map(({ at }) => at);
    expect(writes.length).toBeGreaterThan(6);
    const gaps = writes.slice(1).map((time, index) => time - (writes[index] ?? time));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(secondMs);
  });
});
