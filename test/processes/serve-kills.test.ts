import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase } from "#town/postgres.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { judgeKills, killServe, soundKills } from "./serve-kills.ts";

/** More of them by hand: `DROVER_KILLS=200`, and the manner of the forge turned round with `DROVER_MANNERS=swapped`. */
const kills = Number(process.env["DROVER_KILLS"] ?? 3);
const seed = Number(process.env["DROVER_SEED"] ?? 1);
const [embeddedManner, postgresManner] =
  process.env["DROVER_MANNERS"] === "swapped" ? (["gitea", "github"] as const) : (["github", "gitea"] as const);

const testMsMax = (5 + kills) * 60_000;

let script = "";
beforeAll(async () => {
  script = await bundleEntry("src/cli/drover.ts");
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

describe("drover serve, killed again and again while webhooks arrive", () => {
  it("acts on everything that it accepted, and on nothing twice, on the embedded engine", {
    timeout: testMsMax,
  }, async () => {
    const report = await killServe({ script, databaseUrl: null, manner: embeddedManner, kills, seed });
    expect(judgeKills(report)).toEqual(soundKills);
  });

  describe("on PostgreSQL", () => {
    beforeEach(needPostgres);

    it("acts on everything that it accepted, and on nothing twice", { timeout: testMsMax }, async () => {
      const database = await openTestDatabase();
      stops.push(() => database.drop());
      const report = await killServe({ script, databaseUrl: database.url, manner: postgresManner, kills, seed });
      expect(judgeKills(report)).toEqual(soundKills);
    });
  });
});
