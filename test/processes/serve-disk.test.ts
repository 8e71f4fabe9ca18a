import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askServer } from "./ask-server.ts";
import { createChance } from "./chance.ts";
import { createDeeds } from "./deeds.ts";
import { type Disk, findDiskObstacle, makeDisk } from "./disk.ts";
import { outcomeWord } from "./kill-run.ts";
import { fullDisk, fullDiskVariable, lyingDisk } from "./plants.ts";
import { removeFolder } from "./remove-folder.ts";
import { openServeWorld, type Served, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

/** On a file system of their own, wherever one can be mounted. More power cuts by hand: `DROVER_CUTS=20`. */
const obstacle = await findDiskObstacle();
if (obstacle !== null) process.stderr.write(`no tests on a disk of their own: ${obstacle}\n`);
const cuts = Number(process.env["DROVER_CUTS"] ?? 2);
const seed = Number(process.env["DROVER_SEED"] ?? 1);

const timeout = (10 + cuts) * 60_000;

let world: ServeWorld;
let disk: Disk | undefined;
beforeEach(async () => {
  world = await openServeWorld();
});
afterEach(async () => {
  await world.close({ keepFolder: disk !== undefined });
  await disk?.remove();
  await removeFolder(world.side.folder);
  disk = undefined;
});

interface Room {
  readonly served: Served;
  readonly fill: () => Promise<void>;
  readonly makeRoom: () => Promise<void>;
}

/** Answers with what is wrong in the end. */
async function surviveFullDisk({ served, fill, makeRoom }: Room): Promise<string> {
  const node = await world.ready(served);
  await world.openPull();
  expect(await world.rest()).toBe("");
  await fill();
  const deeds = createDeeds({ server: world.side.forge, chance: createChance(seed), pullsMax: 10 });
  const refused = () => world.side.sender.sent.filter((sent) => outcomeWord(sent) === "503").length;
  await until(async () => {
    await deeds.next();
    return refused() > 2;
  }, node.output);
  expect((await askServer(world.side.port, "/healthz")).status).toBe(200);
  await until(async () => (await askServer(world.side.port, "/readyz")).status === 503, node.output);
  await makeRoom();
  await until(async () => {
    await deeds.next();
    await world.side.sender.settle();
    return world.side.sender.sent.slice(-3).every((sent) => outcomeWord(sent) === "202");
  }, node.output);
  const problems = await world.rest();
  await until(async () => (await askServer(world.side.port, "/readyz")).status === 200, node.output);
  expect(node.end()).toBeNull();
  return problems;
}

describe("a server on a disk that is full", () => {
  it("promises nothing that it cannot write down, and goes on when there is room", { timeout }, async () => {
    const flag = join(world.side.folder, "full");
    const served = { plants: [fullDisk], env: { [fullDiskVariable]: flag } };
    const problems = await surviveFullDisk({ served, fill: () => writeFile(flag, ""), makeRoom: () => rm(flag) });
    expect(problems).toBe("");
  });
});

describe.each(obstacle === null ? ["a disk of its own"] : [])("a server on %s", () => {
  let served: Served;
  let own: Disk;
  beforeEach(async () => {
    own = await makeDisk(world.side.folder);
    disk = own;
    served = { dataFolder: join(own.folder, "data") };
  });

  it("promises nothing that it cannot write down when it is full, and goes on when there is room", {
    timeout,
  }, async () => {
    expect(await surviveFullDisk({ served, fill: own.fill, makeRoom: own.makeRoom })).toBe("");
  });

  it("loses nothing that it promised when the power is cut, time and again", { timeout }, async () => {
    const chance = createChance(seed);
    const deeds = createDeeds({ server: world.side.forge, chance, pullsMax: 3 + 3 * cuts });
    for (let count = 0; count < cuts; count++) {
      const node = await world.ready(served);
      const moment = world.side.moments.next(chance, {
        kinds: ["accepted", "write", "time"],
        ready: Promise.resolve(),
        bootMsMax: 0,
        lifeMsMax: 5000,
      });
      while (!moment.hasCome()) {
        await deeds.next();
        await Promise.race([moment.come, sleep(chance.below(500))]);
      }
      await own.cutPower();
      await node.kill();
      await own.powerUp();
    }
    await world.ready(served);
    expect(await world.rest()).toBe("");
  });

  it("would lose what it promised on a disk that lies about its syncs", { timeout }, async () => {
    await (await world.ready(served)).stop(timeout);
    const node = await world.ready({ ...served, plants: [lyingDisk] });
    await world.accepted(await world.openPull());
    await own.cutPower();
    await node.kill();
    await own.powerUp();
    const next = await world.serve(served);
    await until(() => next.end() !== null || /server is ready/.test(next.output()), next.output);
    await sleep(3000);
    expect(next.end() === null ? world.problems() : next.output()).toMatch(
      /^lost: |does not start|does not read as a lock/m,
    );
  });
});
