// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { botWords, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

/** Counts every call that reaches the forge from now on. */
function countCalls(town: Town): () => number {
  let calls = 0;
  town.faults.always(
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
    const town = await buildTown({ manner, isPaced: true });
    town.hire();
    const pulls = [await town.open({ branch: "one" }), await town.open({ branch: "two", files: { "a.md": "a\n" } })];
    await town.settle();
    await town.pass(minuteMs);
    town.faults.next("get_pull", { kind: "rate_limited", retryAfterMs: 5 * minuteMs });
    for (const pull of pulls) await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(secondMs);
    const calls = countCalls(town);
    await town.pass(4 * minuteMs);
    expect(calls()).toBe(0);
    await town.pass(10 * minuteMs);
    for (const pull of pulls) expect(botWords(town, pull)).toHaveLength(1);
  });

  it("are waited for at least a minute where the forge names no time, and longer each time", async () => {
    const town = await buildTown({ manner, isPaced: true });
    const pull = await town.open();
    await town.settle();
    await town.pass(minuteMs);
    const silent = { kind: "rate_limited", retryAfterMs: null } as const;
    town.faults.next("get_pull", silent, silent);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(secondMs);
    const calls = countCalls(town);
    await town.pass(55 * secondMs);
    expect(calls()).toBe(0);
    // The second refusal comes now, and is waited for twice as long.
    await town.pass(10 * secondMs);
    const afterSecond = calls();
    await town.pass(105 * secondMs);
    expect(calls()).toBe(afterSecond);
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
  });

  it.each([60 * secondMs, null])(
    "in the middle of a plan stop it there, and the rest is done later (%s)",
    async (ms) => {
      const town = await buildTown({ manner, isPaced: true });
      const pull = await town.open();
      await town.settle();
      await town.pass(minuteMs);
      town.faults.next("create_comment", { kind: "rate_limited", retryAfterMs: ms });
      const first = await town.as(town.rita).comment(pull, "@drover status");
      const second = await town.as(town.rita).comment(pull, "@drover hold");
      await town.pass(20 * secondMs);
      expect(reactionsOn(town, pull, first)).toEqual(["+1"]);
      expect(reactionsOn(town, pull, second)).toEqual([]);
      await town.pass(5 * minuteMs);
      expect(botWords(town, pull)).toHaveLength(1);
      expect(reactionsOn(town, pull, second)).toEqual(["+1"]);
      expect(managedComments(town, pull)[0]?.body).toContain("held by `rita`");
    },
  );

  it("let at most one write a second through, over all workers", async () => {
    const town = await buildTown({ manner, isPaced: true });
    town.hire();
    for (const branch of ["one", "two", "three"])
      await town.open({ branch, files: { [`${branch}.md`]: `${branch}\n` } });
    await town.pass(5 * minuteMs);
    const writes = town.sandbox.history.filter(({ by }) => by.id === town.bot.id).map(({ at }) => at);
    expect(writes.length).toBeGreaterThan(6);
    const gaps = writes.slice(1).map((time, index) => time - (writes[index] ?? time));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(secondMs);
  });
});
