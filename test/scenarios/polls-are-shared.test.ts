// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { cadence } from "#core/plan/next-check.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { gateOf } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

/** A town without webhooks, in which every look over the open pulls is counted. */
async function townCounting(options: Parameters<typeof buildTown>[0] = {}): Promise<{ town: Town; polls: number[] }> {
  const polls: number[] = [];
  const town: Town = await buildTown({
    ...options,
    network: () => undefined,
    parts: (usual) => ({ forge: counting(usual.forge, () => polls.push(usual.clock.now())) }),
  });
  return { town, polls };
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
    const { town } = await townCounting({ manner });
    const first = await town.open();
    await createReconciler(town.dependencies).watch("acme/tools");
    await town.pass(minuteMs);
    expect(gateOf(town, first)).toBe("success");
    const second = await town.open({ branch: "more" });
    await town.pass(cadence.msMax + minuteMs);
    expect(gateOf(town, second)).toBe("success");
  });

  it("are made by one of all workers, and taken over from one that died", async () => {
    const { town, polls } = await townCounting({ manner });
    town.hire();
    town.hire();
    for (let times = 0; times < 3; times++) await createReconciler(town.dependencies).watch("acme/tools");
    await town.pass(cadence.msMin - secondMs);
    expect(polls).toHaveLength(1);
    // Somebody takes the next one and is never heard of again.
    await town.clock.advance(5 * minuteMs);
    expect(await town.dependencies.queue.claim({ queues: ["poll"], leaseMs: minuteMs })).not.toBeNull();
    await town.pass(2 * minuteMs);
    expect(polls).toHaveLength(2);
  });

  it("become rare where nothing happens, and frequent again where something does", async () => {
    const { town, polls } = await townCounting({ manner });
    await createReconciler(town.dependencies).watch("acme/tools");
    await town.pass(2 * hourMs);
    expect(pauses(polls).at(-1)).toBe(cadence.msMax);
    const quiet = polls.length;
    await town.open();
    await town.pass(cadence.msMax + 2 * minuteMs);
    expect(Math.min(...pauses(polls.slice(quiet)))).toBe(cadence.msMin);
  });

  it("leave the last of the budget to others", async () => {
    const { town, polls } = await townCounting({ manner, quirks: { callsPerHourMax: 40 } });
    await createReconciler(town.dependencies).watch("acme/tools");
    for (let left = 40; left > 3; left--)
      await town.dependencies.forge.fetchRepository("acme/tools").catch(() => undefined);
    await town.pass(minuteMs);
    const before = polls.length;
    await town.pass(20 * minuteMs);
    expect(polls.length).toBe(before);
    await town.pass(hourMs);
    expect(polls.length).toBeGreaterThan(before);
  });

  it("go on when the repository can be found again, however long it could not", async () => {
    let isThere = false;
    const polls: number[] = [];
    const town = await buildTown({
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
    await createReconciler(town.dependencies).watch("acme/tools");
    await town.pass(6 * hourMs);
    expect(polls).toEqual([]);
    isThere = true;
    await town.pass(cadence.msMax);
    expect(polls.length).toBeGreaterThan(0);
  });

  it("are planned anew where they got lost, and otherwise left as they are", async () => {
    const { town, polls } = await townCounting({ manner });
    const reconciler = createReconciler(town.dependencies);
    await reconciler.ensureWatched("acme/tools");
    await town.pass(secondMs);
    expect(polls).toHaveLength(1);
    await reconciler.ensureWatched("acme/tools");
    await town.pass(secondMs);
    expect(polls).toHaveLength(1);
  });

  it("are left to the others by a worker that does not know yet what is watched", async () => {
    const { town, polls } = await townCounting({ manner });
    town.dismissAll();
    let isListKnown = false;
    const reconciler = createReconciler(town.dependencies, {
      isWatched: () => isListKnown,
      isListKnown: () => isListKnown,
    });
    await reconciler.watch("acme/tools");
    for (let times = 0; times < 20; times++) {
      expect(await reconciler.processNext()).toBe("worked");
      expect(await reconciler.processNext()).toBe("idle");
      await town.clock.advance(cadence.msMin);
    }
    expect(polls).toEqual([]);
    isListKnown = true;
    expect(await reconciler.processNext()).toBe("worked");
    expect(polls).toHaveLength(1);
  });

  it("stop for a repository that nobody watches any more", async () => {
    const { town, polls } = await townCounting({ manner });
    town.dismissAll();
    const reconciler = createReconciler(town.dependencies, { isWatched: () => false });
    await reconciler.watch("acme/tools");
    expect(await reconciler.processNext()).toBe("worked");
    expect(await reconciler.processNext()).toBe("idle");
    await town.clock.advance(hourMs);
    expect(await reconciler.processNext()).toBe("idle");
    expect(polls).toEqual([]);
  });
});
