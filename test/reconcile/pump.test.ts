import { describe, expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { defaultDurations } from "#ports/dependencies.ts";
import type { Deliveries, DeliveryGroup, DeliveryReference } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { drainDeliveriesOnce, runDeliveryDrain } from "#reconcile/drain-deliveries.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import { at, silentLog } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const instance = InstanceId.parse("here");
const pullOf = (number: number) => ({ repository: { id: RepositoryId.parse("7"), name: "acme/tools" }, number });

function aReference(number: number): DeliveryReference {
  return { instance, pull: pullOf(number), delivery: `d${number}`, kind: "pull_request.opened", receivedAt: at(0) };
}

/** About one pull of the same number, or about others. */
function aGroup(number: number, over: Partial<DeliveryGroup> = {}): DeliveryGroup {
  return { number, instance, references: [aReference(number)], ...over };
}

function open(rows: DeliveryGroup[]) {
  const clock = createVirtualClock(at(0));
  const queue = createMemoryQueue({ clock, random: createSeededRandom(1) });
  const log: Log = silentLog;
  const deliveries: Deliveries = {
    readDeliveries: async ({ limit, instances }) =>
      rows.filter((row) => instances.includes(row.instance)).slice(0, limit),
    forgetDeliveries: async (numbers) => {
      rows.splice(0, rows.length, ...rows.filter(({ number }) => !numbers.includes(number)));
    },
  };
  const installation = { instance, queue, clock, durations: defaultDurations };
  const installations = () => [installation];
  const find = (number: number) => queue.find({ queue: "tick", key: pullKeyOf(instance, pullOf(number)) });
  return { clock, queue, log, deliveries, installations, rows, find };
}

describe("the pump", () => {
  it("makes one poke of all deliveries of a pull, and forgets them", async () => {
    const references = [aReference(1), aReference(3), aReference(1)];
    const harness = open([aGroup(1), aGroup(2, { references }), aGroup(3)]);
    expect(await drainDeliveriesOnce(harness)).toBe(3);
    expect(harness.rows).toEqual([]);
    expect([await harness.find(1), await harness.find(2), await harness.find(3)]).toEqual([
      "waiting",
      undefined,
      "waiting",
    ]);
    const claimed = await harness.queue.claim({ queues: ["tick"], leaseMs: minuteMs });
    expect(claimed?.payload).toEqual({ pull: pullOf(1) });
  });

  it("keeps what it could not turn into pokes", async () => {
    const harness = open([aGroup(1)]);
    const queue = { ...harness.queue, putAll: async () => Promise.reject(new Error("no connection")) };
    const installations = () => harness.installations().map((each) => ({ ...each, queue }));
    await expect(drainDeliveriesOnce({ ...harness, installations })).rejects.toThrow("no connection");
    expect(harness.rows).toHaveLength(1);
  });

  it("leaves those of a forge that is not here to whoever knows it, and does not wait for them", async () => {
    const gone = Array.from({ length: 1500 }, (_, count) => aGroup(count, { instance: InstanceId.parse("gone") }));
    const harness = open([...gone, aGroup(2000)]);
    expect(await drainDeliveriesOnce(harness)).toBe(1);
    expect(await harness.find(2000)).toBe("waiting");
    expect(harness.rows).toEqual(gone);
  });

  it("forgets nothing while no forge is there yet", async () => {
    const harness = open([aGroup(1)]);
    expect(await drainDeliveriesOnce({ ...harness, installations: () => [] })).toBe(0);
    expect(harness.rows).toHaveLength(1);
    expect(await drainDeliveriesOnce(harness)).toBe(1);
    expect(await harness.find(1)).toBe("waiting");
  });

  it("goes on after trouble, when it is woken, and by itself for what others left behind", async () => {
    const harness = open([]);
    const wake = createWakeSignal(harness.clock);
    const stop = new AbortController();
    let isBroken = true;
    const deliveries: Deliveries = {
      ...harness.deliveries,
      readDeliveries: async (request) => {
        if (isBroken) throw new Error("no connection");
        return harness.deliveries.readDeliveries(request);
      },
    };
    const running = runDeliveryDrain({ ...harness, deliveries, wake }, stop.signal);
    await harness.clock.advance(10);
    isBroken = false;
    harness.rows.push(aGroup(1));
    await harness.clock.advance(minuteMs);
    expect(await harness.find(1)).toBe("waiting");
    harness.rows.push(aGroup(2));
    wake.notify();
    await harness.clock.advance(0);
    expect(await harness.find(2)).toBe("waiting");
    stop.abort();
    await harness.clock.advance(0);
    await running;
  });

  it.each([
    { spentMs: 0, lookedAt: [0, 250, 500, 750, 1_000] },
    { spentMs: 100, lookedAt: [0, 500, 1_000] },
    { spentMs: 600, lookedAt: [0, 1_600] },
  ])("rests the longer the more it had to do: $spentMs ms", async ({ spentMs, lookedAt }) => {
    const harness = open([]);
    const seen: number[] = [];
    let number = 0;
    const deliveries: Deliveries = {
      ...harness.deliveries,
      readDeliveries: async () => {
        seen.push(harness.clock.now() - at(0));
        await harness.clock.sleep(spentMs);
        number += 1;
        return [aGroup(number)];
      },
    };
    const stop = new AbortController();
    const running = runDeliveryDrain({ ...harness, deliveries, wake: createWakeSignal(harness.clock) }, stop.signal);
    await harness.clock.advance(lookedAt.at(-1) ?? 0);
    expect(seen).toEqual(lookedAt);
    stop.abort();
    await harness.clock.advance(minuteMs);
    await running;
  });
});
