import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NodeProcess, startNode } from "./node-process.ts";

let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drover-node-process-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

async function start(code: string, env: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
  const script = join(place, "script.mjs");
  await writeFile(script, code);
  return startNode({ script, args: ["an argument"], env });
}

const forever = "setInterval(() => {}, 1000);";
const msMax = 30_000;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a process of the tests", () => {
  it("is heard on both streams, and has what it was given and little else", async () => {
    const node = await start(
      `console.log(process.argv[2], process.env.GIVEN, process.env.VITEST); console.error("and this"); ${forever}`,
      { GIVEN: "something" },
    );
    await node.waitFor(/and this/, msMax);
    expect(node.output()).toContain("an argument something undefined");
    expect(node.end()).toBeNull();
    await node.kill();
  });

  it("is gone after a kill, whatever it thinks of signals", async () => {
    const node = await start(`process.on("SIGTERM", () => {}); console.log("deaf"); ${forever}`);
    await node.waitFor(/deaf/, msMax);
    expect(await node.kill()).toEqual({ code: null, signal: "SIGKILL" });
    expect(isAlive(node.pid)).toBe(false);
    expect(await node.kill()).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("may end in order when it is stopped, and is killed when it does not", async () => {
    const orderly = await start(`process.on("SIGTERM", () => process.exit(3)); console.log("up"); ${forever}`);
    await orderly.waitFor(/up/, msMax);
    expect(await orderly.stop(msMax)).toEqual({ code: 3, signal: null });
    const deaf = await start(`process.on("SIGTERM", () => {}); console.log("up"); ${forever}`);
    await deaf.waitFor(/up/, msMax);
    expect(await deaf.stop(50)).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("says its last words when it ends before it said what was waited for", async () => {
    const node = await start(`console.error("I cannot go on"); process.exit(7);`);
    await expect(node.waitFor(/ready/, msMax)).rejects.toThrow(/ended before[^]*I cannot go on/);
    expect(await node.kill()).toEqual({ code: 7, signal: null });
  });

  it("is not waited for without an end", async () => {
    const node = await start(forever);
    await expect(node.waitFor(/ready/, 50)).rejects.toThrow(/said nothing like it/);
    await node.kill();
  });
});
