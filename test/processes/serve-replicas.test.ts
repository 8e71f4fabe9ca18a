import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import { createChance } from "./chance.ts";
import { createDeeds } from "./deeds.ts";
import { leaveScratch } from "./leave-scratch.ts";
import { slowReview, slowReviewWords } from "./plants.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";

/** More of them by hand. */
const kills = Number(process.env["DROVER_REPLICA_KILLS"] ?? 3);
const seed = Number(process.env["DROVER_SEED"] ?? 1);
/** With the leases of production, and told how long it took: `DROVER_USUAL_SPANS=1`. */
const hasUsualSpans = process.env["DROVER_USUAL_SPANS"] === "1";

const timeout = (5 + kills) * 60_000;
const msMax = 120_000;

describe("two servers on one PostgreSQL", () => {
  let world: ServeWorld;
  let database: TestDatabase;
  beforeEach(async (context) => {
    needPostgres(context);
    database = await openTestDatabase();
    world = await openServeWorld({ servers: 2 });
  });
  afterEach(async () => {
    await world.close();
    await database.drop();
  });

  /** One that has begun a review and will not end it, and another that came later. */
  async function startBoth() {
    const busy = await world.ready({ index: 0, databaseUrl: database.url, plants: [slowReview] });
    const pull = await world.openPull();
    await busy.waitFor(new RegExp(slowReviewWords), msMax);
    const other = await world.ready({ index: 1, databaseUrl: database.url });
    return { busy, other, pull };
  }

  it("have a folder each: one that is in use is refused, and nothing in it is touched", { timeout }, async () => {
    const first = await world.ready({ index: 0, databaseUrl: database.url });
    const inUse = await leaveScratch(world);
    const { dataFolder } = world.side;
    const second = await world.serve({ index: 1, databaseUrl: database.url, dataFolder });
    expect(await second.ended(msMax)).toEqual({ code: 2, signal: null });
    expect(second.output()).toMatch(new RegExp(`in use by process ${first.pid} .*with a folder for each`));
    expect(await readFile(inUse, "utf8")).toBe("in use");
    expect(await first.stop(msMax)).toEqual({ code: 0, signal: null });
    await world.ready({ index: 1, databaseUrl: database.url, dataFolder });
  });

  it("do what one of them had begun when it was killed, once its lease has run out", { timeout }, async () => {
    const { side } = world;
    const usual = { name: "sandbox", url: side.forge.url, manner: side.forge.sandbox.manner, spans: null };
    if (hasUsualSpans) await side.configure({ forges: [usual] });
    const { busy } = await startBoth();
    await busy.kill();
    const killedAt = performance.now();
    expect(await world.rest()).toBe("");
    const tookMs = Math.round(performance.now() - killedAt);
    if (hasUsualSpans) process.stderr.write(`taken over and done ${tookMs} ms after the kill\n`);
  });

  it("hand over at once what one of them has begun when it is told to end", { timeout }, async () => {
    const { side } = world;
    const spans = { leaseMs: 10 * msMax, marginMs: 2000, settleMs: 4000, retryMs: 500, writeGapMs: 0 };
    await side.configure({
      stopMs: 1000,
      forges: [{ name: "sandbox", url: side.forge.url, manner: side.forge.sandbox.manner, spans }],
    });
    const { busy } = await startBoth();
    expect(await busy.stop(msMax)).toEqual({ code: 0, signal: null });
    // Long before the lease would have run out.
    expect(await world.rest()).toBe("");
  });

  it("act on everything that either accepted, and on nothing twice, while they are killed in turn", {
    timeout,
  }, async () => {
    const chance = createChance(seed);
    const deeds = createDeeds({ server: world.side.forge, chance, pullsMax: 3 + 3 * kills });
    const start = (index: number) => world.ready({ index, databaseUrl: database.url });
    const lives = await Promise.all([start(0), start(1)]);
    for (let count = 0; count < kills; count++) {
      const moment = world.side.moments.next(chance, {
        kinds: ["accepted", "write", "time"],
        ready: Promise.resolve(),
        bootMsMax: 0,
        lifeMsMax: 5000,
      });
      while (!moment.hasCome()) {
        await deeds.next();
        await Promise.race([moment.come, sleep(chance.below(1000))]);
      }
      const index = chance.below(2);
      await lives[index]?.kill();
      lives[index] = await start(index);
    }
    expect(await world.rest()).toBe("");
    expect(lives.map((life) => life.end())).toEqual([null, null]);
  });
});
