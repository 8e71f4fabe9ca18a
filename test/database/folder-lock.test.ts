import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bundleChild, type Child, startChild } from "./child.ts";

const timeout = 120_000;
/** Long enough for all of them to have started. */
const startMs = 3000;

let script: string;
let folder: string;
beforeAll(async () => {
  script = await bundleChild("lock-child.ts");
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-lock-"));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function startTogether(count: number): Promise<readonly Child[]> {
  const at = String(Date.now() + startMs);
  const children = Array.from({ length: count }, () => startChild(script, [folder, at]));
  for (const child of children) onTestFinished(child.kill);
  await Promise.all(children.map((child) => child.waitForLines(1)));
  return children;
}

describe("a folder that several processes want", () => {
  it("is given to exactly one of those that start at the same moment, round after round", { timeout }, async () => {
    for (let round = 1; round <= 3; round += 1) {
      const children = await startTogether(5);
      const winners = children.filter(({ lines }) => lines[0] === "taken");
      expect(winners).toHaveLength(1);
      for (const child of children) {
        expect(child.lines[0]).toMatch(child === winners[0] ? /^taken$/ : new RegExp(`process ${winners[0]?.pid} `));
      }
      // The lock of the winner is left behind for the next round.
      await Promise.all(children.map((child) => child.kill()));
    }
  });

  it("is free again after a kill, and refused while its owner lives", { timeout }, async () => {
    const owner = startChild(script, [folder, "0"]);
    onTestFinished(owner.kill);
    await owner.waitForLines(1);
    const second = startChild(script, [folder, "0"]);
    onTestFinished(second.kill);
    await second.waitForLines(1);
    await second.end();
    expect(second.lines).toEqual([expect.stringContaining(`in use by process ${owner.pid} `)]);
    await owner.kill();
    const third = startChild(script, [folder, "0"]);
    onTestFinished(third.kill);
    await third.waitForLines(1);
    await third.end();
    expect(third.lines).toEqual(["taken"]);
  });
});
