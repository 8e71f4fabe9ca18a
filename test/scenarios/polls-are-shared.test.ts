// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { cadence } from "#core/plan/next-check.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { gateOf } from "#harness/sights.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

/** A harness without webhooks, in which every look over the open pulls is counted. */
async function harnessCounting(
  options: Parameters<typeof buildHarness>[0] = {},
): Promise<{ harness: Harness; polls: number[] }> {
  const polls: number[] = [];
  const harness: Harness = await buildHarness({
    ...options,
    network: () => undefined,
    parts: (usual) => ({ forge: counting(usual.forge, () => polls.push(usual.clock.now())) }),
  });
  return { harness, polls };
}

function counting(forge: Forge, count: () => void): Forge {
  return {
    ...forge,
    fetchOpenPulls: (repository) => {
      count();
      return forge.fetchOpenPulls(repository);
    },
  };
}

function pauses(times: readonly number[]): readonly number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

describe.each(manners)("polls of a %s without any webhooks", (manner) => {
  it("find a pull, and go on by themselves", async () => {
    const { harness } = await harnessCounting({ manner });
    const first = await harness.open();
    await createReconciler(harness.dependencies).watch("acme/tools");
    await harness.pass(minuteMs);
    expect(gateOf(harness, first)).toBe("success");
    const second = await harness.open({ branch: "more" });
    await harness.pass(cadence.msMax + minuteMs);
    expect(gateOf(harness, second)).toBe("success");
  });

  it("are made by one of all workers, and taken over from one that died", async () => {
    const { harness, polls } = await harnessCounting({ manner });
    harness.hire();
    harness.hire();
    for (let times = 0; times < 3; times++) await createReconciler(harness.dependencies).watch("acme/tools");
    await harness.pass(cadence.msMin - secondMs);
    expect(polls).toHaveLength(1);
    // Somebody takes the next one and is never heard of again.
    await harness.clock.advance(5 * minuteMs);
    expect(await harness.dependencies.queue.claim({ queues: ["poll"], leaseMs: minuteMs })).not.toBeNull();
    await harness.pass(2 * minuteMs);
    expect(polls).toHaveLength(2);
  });

  it("become rare where nothing happens, and frequent again where something does", async () => {
    const { harness, polls } = await harnessCounting({ manner });
    await createReconciler(harness.dependencies).watch("acme/tools");
    await harness.pass(2 * hourMs);
    expect(pauses(polls).at(-1)).toBe(cadence.msMax);
    const quiet = polls.length;
    await harness.open();
    await harness.pass(cadence.msMax + 2 * minuteMs);
    expect(Math.min(...pauses(polls.slice(quiet)))).toBe(cadence.msMin);
  });

  it("leave the last of the budget to others", async () => {
    const { harness, polls } = await harnessCounting({ manner, quirks: { callsPerHourMax: 40 } });
    await createReconciler(harness.dependencies).watch("acme/tools");
    for (let left = 40; left > 3; left--)
      await harness.dependencies.forge.fetchRepository("acme/tools").catch(() => undefined);
    await harness.pass(minuteMs);
    const before = polls.length;
    await harness.pass(20 * minuteMs);
    expect(polls.length).toBe(before);
    await harness.pass(hourMs);
    expect(polls.length).toBeGreaterThan(before);
  });

  it("go on when the repository can be found again, however long it could not", async () => {
    let isThere = false;
    const polls: number[] = [];
    const harness = await buildHarness({
      manner,
      network: () => undefined,
      parts: ({ forge, clock }) => ({
        forge: {
          ...counting(forge, () => polls.push(clock.now())),
          fetchRepository: async (name) => {
            if (isThere) return await forge.fetchRepository(name);
            throw new ForgeError("not_found", name, { isApplied: "no", retryAt: null });
          },
        },
      }),
    });
    await createReconciler(harness.dependencies).watch("acme/tools");
    await harness.pass(6 * hourMs);
    expect(polls).toEqual([]);
    isThere = true;
    await harness.pass(cadence.msMax);
    expect(polls.length).toBeGreaterThan(0);
  });

  it("are planned anew where they got lost, and otherwise left as they are", async () => {
    const { harness, polls } = await harnessCounting({ manner });
    const reconciler = createReconciler(harness.dependencies);
    await reconciler.ensureWatched("acme/tools");
    await harness.pass(secondMs);
    expect(polls).toHaveLength(1);
    await reconciler.ensureWatched("acme/tools");
    await harness.pass(secondMs);
    expect(polls).toHaveLength(1);
  });

  it("are left to the others by a worker that does not know yet what is watched", async () => {
    const { harness, polls } = await harnessCounting({ manner });
    harness.dismissAll();
    let isListKnown = false;
    const reconciler = createReconciler(harness.dependencies, {
      isWatched: () => isListKnown,
      isListKnown: () => isListKnown,
    });
    await reconciler.watch("acme/tools");
    for (let times = 0; times < 20; times++) {
      expect(await reconciler.processNext()).toBe("worked");
      expect(await reconciler.processNext()).toBe("idle");
      await harness.clock.advance(cadence.msMin);
    }
    expect(polls).toEqual([]);
    isListKnown = true;
    expect(await reconciler.processNext()).toBe("worked");
    expect(polls).toHaveLength(1);
  });

  it("stop for a repository that nobody watches any more", async () => {
    const { harness, polls } = await harnessCounting({ manner });
    harness.dismissAll();
    const reconciler = createReconciler(harness.dependencies, { isWatched: () => false });
    await reconciler.watch("acme/tools");
    expect(await reconciler.processNext()).toBe("worked");
    expect(await reconciler.processNext()).toBe("idle");
    await harness.clock.advance(hourMs);
    expect(await reconciler.processNext()).toBe("idle");
    expect(polls).toEqual([]);
  });
});
