import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { NodeProcess } from "./node-process.ts";
import { forgetsFirst, forgottenWords, promisesEarly, sendsBlindly } from "./plants.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const timeout = 600_000;
const msMax = 120_000;
/** A sound server finds what it has accepted at its start, so it has begun long before. */
const lingerMs = 3000;

let world: ServeWorld | undefined;
afterEach(() => world?.close());

describe("killing a server that has a mistake in it", () => {
  it("catches one that promises before it has written", { timeout }, async () => {
    world = await openServeWorld();
    const node = await world.ready({ plants: [promisesEarly] });
    await world.accepted(await world.openPull());
    await node.kill();
    await world.ready();
    await sleep(lingerMs);
    expect(world.problems()).toMatch(/^lost: .*no gate/);
  });

  it("catches one that forgets a delivery before its poke is in the queue", { timeout }, async () => {
    world = await openServeWorld();
    const node = await world.ready({ plants: [forgetsFirst] });
    await world.accepted(await world.openPull());
    await node.waitFor(new RegExp(forgottenWords), msMax);
    await node.kill();
    await world.ready();
    await sleep(lingerMs);
    expect(world.problems()).toMatch(/^lost: .*no gate/);
  });

  it("catches one that sends again without having looked", { timeout }, async () => {
    let victim: NodeProcess | undefined;
    // Before it is answered: afterwards the server might have written down already what became of it.
    const onWrite = (endpoint: string): void => {
      if (endpoint === "create_review") victim?.signal("SIGKILL");
    };
    const harness = await openServeWorld({ onWrite });
    world = harness;
    const node = await harness.ready({ plants: [sendsBlindly] });
    victim = node;
    await harness.openPull();
    expect(await node.ended(msMax)).toEqual({ code: null, signal: "SIGKILL" });
    victim = undefined;
    await harness.ready({ plants: [sendsBlindly] });
    const told = /^twice: .*was sent 2 times/m;
    await until(() => told.test(harness.problems()), harness.problems);
    expect(harness.problems()).toMatch(told);
  });
});
