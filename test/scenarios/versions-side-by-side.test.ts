// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { UnreadableError } from "#core/model/stored.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

async function findPull(): Promise<never> {
  throw new UnreadableError("the row of pull does not read: a word that came later");
}

/** An earlier version, for which the records of every pull are written in a language that it does not know. */
function earlier({ dependencies }: Harness, isOutdated: boolean): Dependencies {
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
async function workAlone(harness: Harness, dependencies: Dependencies, ms: number): Promise<number> {
  const reconciler = createReconciler(dependencies);
  let turns = 0;
  for (let spent = 0; spent < ms; spent += minuteMs) {
    while ((await reconciler.processNext()) === "worked") turns += 1;
    await harness.clock.advance(minuteMs);
  }
  return turns;
}

describe.each(manners)("during an upgrade on a %s", (manner) => {
  async function harnessWithAnEntry(): Promise<{
    readonly harness: Harness;
    readonly look: () => Promise<string | undefined>;
  }> {
    const harness = await buildHarness({ manner, network: () => undefined, expectsFailures: true });
    const pull = await harness.open();
    harness.dismissAll();
    const key = pullKeyOf(harness.dependencies.instance, pull);
    const entry = { queue: "tick", key } as const;
    await harness.dependencies.queue.put({ ...entry, at: null, whileRunning: "keep", priority: 2, payload: { pull } });
    return { harness, look: async () => await harness.dependencies.queue.find(entry) };
  }

  it("what only the later version can read waits for it, however often the earlier one takes it", async () => {
    const { harness, look } = await harnessWithAnEntry();
    const turns = await workAlone(harness, earlier(harness, true), 10 * hourMs);
    // A later version that comes now finds it due within minutes.
    expect(turns).toBeGreaterThan((10 * hourMs) / (6 * minuteMs));
    expect(turns).toBeLessThan((10 * hourMs) / (4 * minuteMs));
    expect([await look(), await harness.dependencies.queue.listQuarantined()]).toEqual(["waiting", []]);
    expect(harness.failures).toEqual([]);
    harness.hire();
    await harness.pass(6 * minuteMs);
    expect(harness.reports.length).toBeGreaterThan(0);
    expect(harness.look({ repository: harness.repository, number: 1 }).comments).not.toEqual([]);
  });

  it("where no later version was, what cannot be read is broken, and is set aside for people to see", async () => {
    const { harness, look } = await harnessWithAnEntry();
    await workAlone(harness, earlier(harness, false), 10 * hourMs);
    const buried = await harness.dependencies.queue.listQuarantined();
    expect([await look(), buried.map(({ why }) => why)]).toEqual([
      undefined,
      ["the row of pull does not read: a word that came later"],
    ]);
  });
});
