import { describe, expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Deliveries, LoggedDelivery } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import { defaultSpans } from "#ports/parts.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { pumpOnce, runPump } from "#reconcile/pump.ts";
import { createWake } from "#reconcile/wake.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const instance = InstanceId.parse("here");
const pullOf = (number: number) => ({ repository: { id: RepositoryId.parse("7"), name: "acme/tools" }, number });

function aDelivery(number: number, over: Partial<LoggedDelivery> = {}): LoggedDelivery {
  return {
    number,
    instance,
    pull: pullOf(number),
    delivery: `d${number}`,
    kind: "pull_request.opened",
    receivedAt: at(0),
    ...over,
  };
}

function open(rows: LoggedDelivery[]) {
  const clock = createVirtualClock(at(0));
  const queue = createMemoryQueue({ clock, random: createSeededRandom(1) });
  const warnings: string[] = [];
  const log: Log = { info: () => undefined, warn: (_, message) => void warnings.push(message), error: () => undefined };
  const deliveries: Deliveries = {
    readDeliveries: async ({ limit }) => rows.slice(0, limit),
    forgetDeliveries: async (numbers) => {
      rows.splice(0, rows.length, ...rows.filter(({ number }) => !numbers.includes(number)));
    },
  };
  const installation = { instance, queue, clock, spans: defaultSpans };
  const installationOf = (asked: InstanceId) => (asked === instance ? installation : undefined);
  const find = (number: number) => queue.find({ queue: "tick", key: pullKeyOf(instance, pullOf(number)) });
  return { clock, queue, log, warnings, deliveries, installationOf, rows, find };
}

describe("the pump", () => {
  it("makes one poke of all deliveries of a pull, and forgets them", async () => {
    const town = open([aDelivery(1), aDelivery(2, { pull: pullOf(1) }), aDelivery(3)]);
    expect(await pumpOnce(town)).toBe(3);
    expect(town.rows).toEqual([]);
    expect([await town.find(1), await town.find(2), await town.find(3)]).toEqual(["waiting", undefined, "waiting"]);
    const taken = await town.queue.take({ queues: ["tick"], leaseMs: minuteMs });
    expect(taken?.payload).toEqual({ pull: pullOf(1) });
  });

  it("keeps what it could not turn into pokes", async () => {
    const town = open([aDelivery(1)]);
    const broken = { ...town.installationOf(instance), instance, spans: defaultSpans, clock: town.clock };
    const queue = { ...town.queue, putAll: async () => Promise.reject(new Error("no connection")) };
    await expect(pumpOnce({ ...town, installationOf: () => ({ ...broken, queue }) })).rejects.toThrow("no connection");
    expect(town.rows).toHaveLength(1);
  });

  it("does not wait for a forge that nobody works on any more", async () => {
    const town = open([aDelivery(1, { instance: InstanceId.parse("gone") }), aDelivery(2)]);
    expect(await pumpOnce(town)).toBe(2);
    expect(town.warnings).toEqual(["deliveries of an unknown forge"]);
    expect(await town.find(2)).toBe("waiting");
  });

  it("goes on after trouble, when it is woken, and by itself for what others left behind", async () => {
    const town = open([]);
    const wake = createWake(town.clock);
    const stop = new AbortController();
    let isBroken = true;
    const deliveries: Deliveries = {
      ...town.deliveries,
      readDeliveries: async (request) => {
        if (isBroken) throw new Error("no connection");
        return town.deliveries.readDeliveries(request);
      },
    };
    const running = runPump({ ...town, deliveries, wake }, stop.signal);
    await town.clock.advance(10);
    isBroken = false;
    town.rows.push(aDelivery(1));
    await town.clock.advance(minuteMs);
    expect(await town.find(1)).toBe("waiting");
    town.rows.push(aDelivery(2));
    wake.ring();
    await town.clock.advance(0);
    expect(await town.find(2)).toBe("waiting");
    stop.abort();
    await town.clock.advance(0);
    await running;
  });
});
