import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import { askServer } from "./ask-server.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { openSilentProxy, type SilentProxy } from "./silent-proxy.ts";
import { until } from "./until.ts";

const msMax = 120_000;
const timeout = 3 * msMax;

describe("a server whose PostgreSQL falls silent", () => {
  let world: ServeWorld;
  let database: TestDatabase;
  let proxy: SilentProxy;
  beforeEach(async (context) => {
    needPostgres(context);
    database = await openTestDatabase();
    proxy = await openSilentProxy(database.url);
    world = await openServeWorld();
    await world.side.configure({ stopMs: 1000 });
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
    await database.drop();
  });

  it("is not ready until it speaks again, and lives on meanwhile", { timeout }, async () => {
    const node = await world.ready({ databaseUrl: proxy.url });
    const ready = async (): Promise<string> => {
      const { status, body } = await askServer(world.side.port, "/readyz");
      return `${status} ${body.trim()}`;
    };
    expect(await ready()).toBe("200 ready");
    proxy.fallSilent();
    await until(async () => (await ready()).startsWith("503 the database "), node.output);
    expect((await askServer(world.side.port, "/healthz")).status).toBe(200);
    proxy.speak();
    await until(async () => (await ready()) === "200 ready", node.output);
    await world.openPull();
    expect(await world.rest()).toBe("");
  });

  it("ends when it is told to, and says that it did not end in order", { timeout }, async () => {
    const node = await world.ready({ databaseUrl: proxy.url });
    proxy.fallSilent();
    node.signal("SIGTERM");
    expect(await node.ended(msMax)).toEqual({ code: 1, signal: null });
    expect(node.output()).toContain("the server did not end in time");
    expect(node.output()).toMatch(/^drover: did not end within \d+ ms, and ends now$/m);
  });
});
