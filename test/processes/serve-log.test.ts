import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { askServer } from "./ask-server.ts";
import type { NodeProcess } from "./node-process.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";

const msMax = 120_000;
const timeout = 2 * msMax;
/** What standard error says, which is heard in any case. */
const isListening = /^drover: listening on /m;

let world: ServeWorld;
beforeEach(async () => {
  world = await openServeWorld();
});
afterEach(() => world.close());

/** What became of a pull, whether it was ready afterwards, and how it ended when it was told to. */
async function work(node: NodeProcess): Promise<unknown> {
  await world.openPull();
  const problems = await world.rest();
  const { status } = await askServer(world.side.port, "/readyz");
  return { problems, status, end: await node.stop(msMax) };
}

const asUsual = { problems: "", status: 200, end: { code: 0, signal: null } };

function linesOf(node: NodeProcess, message: string): readonly LogLine[] {
  const lines = node.output().split("\n");
  const found = lines.filter((line) => line.startsWith("{") && line.includes(`"message":${JSON.stringify(message)}`));
  return found.map((line) => LogLine.parse(JSON.parse(line)));
}

const LogLine = z.looseObject({
  pull: z.string().optional(),
  turn: z.string().optional(),
  delivery: z.string().nullish(),
  deliveries: z.array(z.string()).optional(),
});
type LogLine = z.infer<typeof LogLine>;

describe("the log of a server", () => {
  it("leads from a delivery to the poke, and from there to each look at the pull", { timeout }, async () => {
    const node = await world.ready();
    await world.openPull();
    expect(await world.rest()).toBe("");
    await node.stop(msMax);
    const [webhook] = linesOf(node, "webhook");
    const poke = linesOf(node, "deliveries became a poke").find(
      ({ deliveries }) => deliveries?.some((told) => told.endsWith(` ${webhook?.delivery}`)) === true,
    );
    const looks = linesOf(node, "ticked a pull");
    expect(looks).not.toEqual([]);
    for (const look of looks) {
      expect(look).toMatchObject({ pull: poke?.pull, key: poke?.pull, turn: expect.stringMatching(/./) });
    }
  });
});

describe("a server whose log nobody takes", () => {
  it("goes on when whoever read it through a pipe is gone", { timeout }, async () => {
    const node = await world.ready();
    node.stopListening();
    expect(await work(node)).toEqual(asUsual);
  });
});

/** A file of Linux that is always full. */
const fullFile = "/dev/full";

describe.each(existsSync(fullFile) ? [fullFile] : [])("a server whose log goes to %s", (path) => {
  let file: FileHandle;
  beforeEach(async () => {
    file = await open(path, "w");
  });
  afterEach(() => file.close());

  it("starts, works and ends as any other", { timeout }, async () => {
    const node = await world.serve({ log: file.fd });
    await node.waitFor(isListening, msMax);
    expect(await work(node)).toEqual(asUsual);
  });
});
