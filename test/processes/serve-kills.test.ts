import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { judgeKills, killServe, soundKills } from "./serve-kills.ts";

/** Many of them: `npm run faults`. */
const kills = 3;
const stops = 2;
const seed = 1;

const testMsMax = 600_000;

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
    const report = await killServe({ script, databaseUrl: null, manner: "github", kills, seed });
    expect(judgeKills(report)).toEqual(soundKills);
  });

  it("acts on everything that it accepted also when it is told to end each time, and ends well", {
    timeout: testMsMax,
  }, async () => {
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
      const report = await killServe({ script, databaseUrl: database.url, manner: "gitea", kills, seed });
      expect(judgeKills(report)).toEqual(soundKills);
    });
  });
});
