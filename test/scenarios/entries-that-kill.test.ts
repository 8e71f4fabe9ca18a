// @module-tag crash

import { describe, expect, it } from "vitest";
import { dayMs, minuteMs } from "#core/model/instant.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

/** A process that ends when it looks at a pull: nothing of it is heard any more, and nothing is thrown. */
async function liveUntilLook(dependencies: Dependencies): Promise<"died" | "worked" | "idle"> {
  const silence = new Promise<never>(() => undefined);
  let isDead = false;
  return await new Promise((resolve, reject) => {
    const reconciler = createReconciler({
      ...dependencies,
      queue: { ...dependencies.queue, extend: (...asked) => (isDead ? silence : dependencies.queue.extend(...asked)) },
      forge: {
        ...dependencies.forge,
        fetchPull: () => {
          isDead = true;
          resolve("died");
          return silence;
        },
      },
    });
    reconciler.processNext().then(resolve, reject);
  });
}

/** Starts a process every minute of a day, and answers with the minutes in which one died. */
async function startAllDay(harness: Harness): Promise<readonly number[]> {
  const deaths: number[] = [];
  for (let minute = 0; minute < dayMs / minuteMs; minute++) {
    if ((await liveUntilLook(harness.dependencies)) === "died") deaths.push(minute);
    await harness.clock.advance(minuteMs);
  }
  return deaths;
}

async function harnessWithAnEntry(manner: SandboxManner): Promise<{ harness: Harness; pull: PullRef }> {
  const harness = await buildHarness({ manner, network: () => undefined, expectsFailures: true });
  const pull = await harness.open();
  harness.dismissAll();
  await putLook(harness, pull);
  return { harness, pull };
}

async function putLook({ dependencies }: Harness, pull: PullRef): Promise<void> {
  await dependencies.queue.put(tickEntry(dependencies.instance, pull));
}

describe.each(manners)("an entry of a %s that ends the process", (manner) => {
  it("does so ever more seldom, and is set aside in the end", async () => {
    const { harness } = await harnessWithAnEntry(manner);
    const deaths = await startAllDay(harness);
    const pauses = deaths.slice(1).map((minute, index) => minute - (deaths[index] ?? 0));
    expect(pauses).toEqual([1, 1, 1, 2, 4, 8, 16, 32, 60]);
    const [buried, ...others] = await harness.dependencies.queue.listQuarantined();
    expect(others).toEqual([]);
    expect(buried?.why).toBe("10 workers in a row crashed while they ran this entry; it may use too much memory");
    expect(harness.failures).toHaveLength(1);
  });

  it("is dealt with as usual when it was put back and ends nothing any more", async () => {
    const { harness, pull } = await harnessWithAnEntry(manner);
    await startAllDay(harness);
    await putLook(harness, pull);
    harness.hire();
    await harness.pass(minuteMs);
    expect(await harness.dependencies.queue.listQuarantined()).toEqual([]);
    expect(harness.reports.length).toBeGreaterThan(0);
  });
});
