// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { UnreadableError } from "#core/model/stored.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

async function findPull(): Promise<never> {
  throw new UnreadableError("the row of pull does not read: a word that came later");
}

/** An earlier version, for which the records of every pull are written in a language that it does not know. */
function earlier({ dependencies }: Town, isOutdated: boolean): Dependencies {
  return {
    ...dependencies,
    store: { ...dependencies.store, findPull, isOutdated: async () => isOutdated },
    forge: {
      ...dependencies.forge,
      fetchPull: async () => {
        throw new Error("the forge was asked for nothing");
      },
    },
  };
}

/** The earlier version alone takes whatever is due, for so long. */
async function workAlone(town: Town, dependencies: Dependencies, ms: number): Promise<number> {
  const reconciler = createReconciler(dependencies);
  let turns = 0;
  for (let spent = 0; spent < ms; spent += minuteMs) {
    while ((await reconciler.processNext()) === "worked") turns += 1;
    await town.clock.advance(minuteMs);
  }
  return turns;
}

describe.each(manners)("during an upgrade on a %s", (manner) => {
  async function townWithAnEntry(): Promise<{ readonly town: Town; readonly look: () => Promise<string | undefined> }> {
    const town = await buildTown({ manner, network: () => undefined, expectsFailures: true });
    const pull = await town.open();
    town.dismissAll();
    const key = pullKeyOf(town.dependencies.instance, pull);
    const entry = { queue: "tick", key } as const;
    await town.dependencies.queue.put({ ...entry, at: null, whileRunning: "keep", priority: 2, payload: { pull } });
    return { town, look: async () => await town.dependencies.queue.find(entry) };
  }

  it("what only the later version can read waits for it, however often the earlier one takes it", async () => {
    const { town, look } = await townWithAnEntry();
    const turns = await workAlone(town, earlier(town, true), 10 * hourMs);
    // A later version that comes now finds it due within minutes.
    expect(turns).toBeGreaterThan((10 * hourMs) / (6 * minuteMs));
    expect(turns).toBeLessThan((10 * hourMs) / (4 * minuteMs));
    expect([await look(), await town.dependencies.queue.listQuarantined()]).toEqual(["waiting", []]);
    expect(town.failures).toEqual([]);
    town.hire();
    await town.pass(6 * minuteMs);
    expect(town.reports.length).toBeGreaterThan(0);
    expect(town.look({ repository: town.repository, number: 1 }).comments).not.toEqual([]);
  });

  it("where no later version was, what cannot be read is broken, and is set aside for people to see", async () => {
    const { town, look } = await townWithAnEntry();
    await workAlone(town, earlier(town, false), 10 * hourMs);
    const buried = await town.dependencies.queue.listQuarantined();
    expect([await look(), buried.map(({ why }) => why)]).toEqual([
      undefined,
      ["the row of pull does not read: a word that came later"],
    ]);
  });
});
