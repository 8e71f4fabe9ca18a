import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, postgresBinaries } from "#harness/postgres.ts";
import { type PostgresCluster, startPostgresCluster } from "#harness/postgres-cluster.ts";
import { askServer } from "./ask-server.ts";
import { createChance } from "./chance.ts";
import { createDeeds } from "./deeds.ts";
import { outcomeWord } from "./kill-run.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";

/** More of them by hand. */
const restarts = Number(process.env["DROVER_RESTARTS"] ?? 2);
const seed = Number(process.env["DROVER_SEED"] ?? 1);

const timeout = (5 + restarts) * 60_000;
const msMax = 120_000;

describe("a server whose PostgreSQL goes away", () => {
  let world: ServeWorld;
  let cluster: PostgresCluster;
  beforeEach(async (context) => {
    needPostgres(context);
    // Otherwise it would forget what it has answered.
    cluster = await startPostgresCluster(postgresBinaries(), ["synchronous_commit = on", "full_page_writes = on"]);
    world = await openServeWorld();
  });
  afterEach(async () => {
    await world.close();
    await cluster.remove();
  });

  it("lives on, promises nothing meanwhile that it does not keep, and goes on by itself", { timeout }, async () => {
    const node = await world.ready({ databaseUrl: cluster.url });
    const chance = createChance(seed);
    const deeds = createDeeds({ server: world.side.forge, chance, pullsMax: 3 + 3 * restarts });
    const health = new Set<number | string>();
    const workFor = async (ms: number): Promise<void> => {
      const deadline = performance.now() + ms;
      do {
        await deeds.next();
        health.add((await askServer(world.side.port, "/healthz")).status);
        await sleep(chance.below(300));
      } while (performance.now() < deadline);
    };
    for (let count = 0; count < restarts; count++) {
      await workFor(chance.below(3000));
      await cluster.halt(count % 2 === 0 ? "immediate" : "fast");
      await workFor(chance.below(3000));
      await cluster.resume();
    }
    await workFor(1000);
    await world.openPull();
    expect(await world.rest()).toBe("");
    expect([...health]).toEqual([200]);
    const answers = new Set(world.side.sender.sent.map(outcomeWord));
    expect([...answers].filter((word) => word !== "200").sort()).toEqual(["202", "503"]);
    expect(await node.stop(msMax)).toEqual({ code: 0, signal: null });
  });

  it("does not lose a forge whose configuration changes meanwhile, and ends when it is told to", {
    timeout,
  }, async () => {
    const node = await world.ready({ databaseUrl: cluster.url });
    await world.side.configure({ workers: 2, stopMs: 1000 });
    await cluster.halt();
    node.signal("SIGHUP");
    await node.waitFor(/nothing was changed: /, msMax);
    await cluster.resume();
    await world.openPull();
    expect(await world.rest()).toBe("");
    await cluster.halt();
    expect(await node.stop(msMax)).toEqual({ code: 0, signal: null });
    await cluster.resume();
    await world.ready({ databaseUrl: cluster.url });
    expect(await world.rest()).toBe("");
  });
});
