import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import { laterVersion } from "./plants.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";

const timeout = 600_000;
const msMax = 120_000;

describe("two versions on one PostgreSQL", () => {
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

  it("work beside each other while the later one comes, and after the earlier one was started again", {
    timeout,
  }, async () => {
    const { url: databaseUrl } = database;
    const earlier = await world.ready({ index: 0, databaseUrl });
    await world.openPull();
    // In the middle of that pull all tables are changed.
    const later = await world.ready({ index: 1, databaseUrl, plants: laterVersion });
    expect(later.output()).toContain("9999-later");
    await world.openPull();
    await world.openPull();
    expect(await world.rest()).toBe("");
    expect(await earlier.stop(msMax)).toEqual({ code: 0, signal: null });
    const again = await world.ready({ index: 0, databaseUrl });
    expect(await later.stop(msMax)).toEqual({ code: 0, signal: null });
    // Webhooks go to each in turn: of two pulls in a row one is told to the server that is left.
    await world.openPull();
    await world.openPull();
    expect(await world.rest()).toBe("");
    expect(again.end()).toBeNull();
  });
});
