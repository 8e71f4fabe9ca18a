import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "./free-port.ts";
import type { NodeProcess } from "./node-process.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";

let world: ServeWorld;
beforeAll(async () => {
  world = await openServeWorld();
});
afterEach(() => world.side.configure({}));
afterAll(() => world.close());

const endMsMax = 60_000;

/** It ends by itself, with the exit code of a wrong call and one line that says what to do. */
async function expectRefusal(node: NodeProcess, words: RegExp): Promise<void> {
  await node.waitFor(/^drover: .*\n/m, endMsMax);
  expect(await node.ended(endMsMax)).toEqual({ code: 2, signal: null });
  expect(node.output()).toMatch(words);
  // What went wrong is told, not thrown.
  expect(node.output()).not.toMatch(/^ {4}at /m);
}

describe("drover serve refuses to start, and says why,", () => {
  it("without a configuration, and with a wrong one", async () => {
    await writeFile(world.side.configFile, '{"forges": [], "wrokers": 3}');
    await expectRefusal(await world.serve(), /is wrong:[^]*workers/);
    await world.side.removeConfig();
    await expectRefusal(await world.serve(), /cannot be read \(ENOENT\)[^]*--config/);
  });

  it("without the secrets that the configuration names, all of which it lists", async () => {
    await expectRefusal(
      await world.serve({ env: { DROVER_SANDBOX_TOKEN: "", DROVER_WEBHOOK_SECRET: "" } }),
      /DROVER_SANDBOX_TOKEN is not set;[^]*DROVER_WEBHOOK_SECRET is not set/,
    );
  });

  it("on PostgreSQL without the secret that replicas share", async () => {
    const databaseUrl = `postgres://drover:drover@127.0.0.1:${await freePort()}/drover`;
    await expectRefusal(await world.serve({ databaseUrl, env: { DROVER_SECRET: "" } }), /set DROVER_SECRET/);
  });

  it("with a secret that is none", async () => {
    await expectRefusal(await world.serve({ env: { DROVER_SECRET: "short" } }), /DROVER_SECRET must hold at least 64/);
  });

  it("where PostgreSQL does not answer, without telling the password", async () => {
    const databaseUrl = `postgres://drover:hunter2@127.0.0.1:${await freePort()}/drover`;
    const node = await world.serve({ databaseUrl });
    await expectRefusal(node, /does not answer \(ECONNREFUSED\)/);
    expect(node.output()).not.toContain("hunter2");
  });

  it("on a port that somebody else has", async () => {
    const other = createServer();
    other.listen(world.side.port, "127.0.0.1");
    await once(other, "listening");
    await expectRefusal(await world.serve(), /cannot listen on 127\.0\.0\.1 port \d+: something listens there already/);
    other.close();
    await once(other, "close");
  });

  it("with a data folder that is none", async () => {
    const file = join(world.side.folder, "a-file");
    await writeFile(file, "");
    await expectRefusal(await world.serve({ dataFolder: file }), /the data folder .* cannot be used/);
  });
});
