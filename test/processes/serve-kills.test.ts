import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase, type TestDatabase } from "#town/postgres.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { judgeKills, killServe, soundKills } from "./serve-kills.ts";

/** More of them by hand: `DROVER_KILLS=200`, `DROVER_STOPS=50`, and the manner of the forge turned round with `DROVER_MANNERS=swapped`. */
const kills = Number(process.env["DROVER_KILLS"] ?? 3);
const stops = Number(process.env["DROVER_STOPS"] ?? 2);
const seed = Number(process.env["DROVER_SEED"] ?? 1);
const [embeddedManner, postgresManner] =
  process.env["DROVER_MANNERS"] === "swapped" ? (["gitea", "github"] as const) : (["github", "gitea"] as const);

const testMsMax = (5 + Math.max(kills, stops)) * 60_000;

let script = "";
beforeAll(async () => {
  script = await bundleEntry("src/cli/drover.ts");
});

let database: TestDatabase | undefined;
afterEach(async () => {
  await database?.drop();
  database = undefined;
});

describe("drover serve, killed again and again while webhooks arrive", () => {
  it("acts on everything that it accepted, and on nothing twice, on the embedded engine", {
    timeout: testMsMax,
  }, async () => {
    const report = await killServe({ script, databaseUrl: null, manner: embeddedManner, kills, seed });
    expect(judgeKills(report)).toEqual(soundKills);
  });

  it("does so as well when it is told to end each time, and ends well", { timeout: testMsMax }, async () => {
    const report = await killServe({
      script,
      databaseUrl: null,
      manner: "github",
      ending: "stop",
      kinds: ["time", "accepted", "write"],
      kills: stops,
      seed,
    });
    expect(judgeKills(report)).toEqual(soundKills);
  });

  describe("on PostgreSQL", () => {
    beforeEach(needPostgres);

    it("acts on everything that it accepted, and on nothing twice", { timeout: testMsMax }, async () => {
      database = await openTestDatabase();
      const report = await killServe({ script, databaseUrl: database.url, manner: postgresManner, kills, seed });
      expect(judgeKills(report)).toEqual(soundKills);
    });
  });
});
