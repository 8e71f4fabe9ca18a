import { once } from "node:events";
import { chmod, chown, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#harness/free-port.ts";
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
async function refusalOf(node: NodeProcess): Promise<string> {
  await node.waitFor(/^drover: .*\n/m, endMsMax);
  expect(await node.ended(endMsMax)).toEqual({ code: 2, signal: null });
  // What went wrong is told, not thrown.
  expect(node.output()).not.toMatch(/^ {4}at /m);
  return node.output();
}

describe("drover serve refuses to start, and says why,", () => {
  it("without a configuration, and with a wrong one", async () => {
    await writeFile(world.side.configFile, '{"forges": [], "wrokers": 3}');
    expect(await refusalOf(await world.serve())).toMatch(/is wrong:[^]*workers/);
    await world.side.removeConfig();
    expect(await refusalOf(await world.serve())).toMatch(/cannot be read \(ENOENT\)[^]*--config/);
  });

  it("without the secrets that the configuration names, all of which it lists", async () => {
    expect(
      await refusalOf(await world.serve({ env: { DROVER_SANDBOX_TOKEN: "", DROVER_WEBHOOK_SECRET: "" } })),
    ).toMatch(/DROVER_SANDBOX_TOKEN is not set;[^]*DROVER_WEBHOOK_SECRET is not set/);
  });

  it("on PostgreSQL without the secret that replicas share", async () => {
    const databaseUrl = `postgres://drover:drover@127.0.0.1:${await freePort()}/drover`;
    expect(await refusalOf(await world.serve({ databaseUrl, env: { DROVER_SECRET: "" } }))).toMatch(
      /set DROVER_SECRET/,
    );
  });

  it("with a secret that is none", async () => {
    expect(await refusalOf(await world.serve({ env: { DROVER_SECRET: "short" } }))).toMatch(
      /DROVER_SECRET must hold at least 64/,
    );
  });

  it("where PostgreSQL does not answer, without telling the password", async () => {
    const databaseUrl = `postgres://drover:hunter2@127.0.0.1:${await freePort()}/drover`;
    const node = await world.serve({ databaseUrl });
    expect(await refusalOf(node)).toMatch(/does not answer \(ECONNREFUSED\)/);
    expect(node.output()).not.toContain("hunter2");
  });

  it("on a port that somebody else has", async () => {
    const other = createServer();
    other.listen(world.side.port, "127.0.0.1");
    await once(other, "listening");
    expect(await refusalOf(await world.serve())).toMatch(
      /cannot listen on 127\.0\.0\.1 port \d+: something listens there already/,
    );
    other.close();
    await once(other, "close");
  });

  it("where it cannot write what the command line needs, and leaves the folder to the next one", async () => {
    const file = join(world.side.dataFolder, "server.json");
    await mkdir(file, { recursive: true });
    expect(await refusalOf(await world.serve())).toMatch(/the server cannot start: EISDIR/);
    await rm(file, { recursive: true });
    const next = await world.ready();
    expect(await next.stop(endMsMax)).toEqual({ code: 0, signal: null });
  });

  it("with a data folder that others may write, who could put their own database and secret there", async () => {
    const folder = join(world.side.folder, "shared");
    await mkdir(folder);
    for (const mode of [0o777, 0o770]) {
      await chmod(folder, mode);
      expect(await refusalOf(await world.serve({ dataFolder: folder }))).toMatch(
        /others may write to the data folder .*chmod go-w .*--data/,
      );
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)("with a data folder of another user", async () => {
    const folder = join(world.side.folder, "foreign");
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, 12_345, 12_345);
    expect(await refusalOf(await world.serve({ dataFolder: folder }))).toMatch(
      /belongs to another user \(12345, and Drover runs as 0\).*chown 0 /,
    );
  });

  it("with a data folder that is none", async () => {
    const file = join(world.side.folder, "a-file");
    await writeFile(file, "");
    expect(await refusalOf(await world.serve({ dataFolder: file }))).toMatch(/the data folder .* cannot be used/);
  });
});
