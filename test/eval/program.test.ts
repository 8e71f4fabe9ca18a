import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleEntry } from "#processes/bundle-entry.ts";
import { ownSet, withFolder } from "./eval-world.ts";
import { openScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";

/** The program itself, as a user starts it. */

let script: string;
beforeAll(async () => {
  script = await bundleEntry("src/cli/drover.ts");
});

interface Started {
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  stop(): void;
}

function start(args: readonly string[]): Started {
  const child = spawn(process.execPath, [script, "eval", ...args], {
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  return {
    ended: once(child, "close").then(() => ({ code: child.exitCode, ...said })),
    stop: () => child.kill("SIGINT"),
  };
}

describe("drover eval", () => {
  test("measures the rules on our own set, without a key, and says nothing but the report", async () => {
    const { code, out, err } = await start(["--set", ownSet, "--fail-under-precision", "1"]).ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^case +expected +found +wrong +cost +time\nclean\//);
    expect(out).toMatch(/\nrules +15 +15 +0 +100 % +100 %\n/);
    expect(out).toContain("No wrong findings: precision 100 %");
  });

  test("ends with 2 and what to do where the call is wrong", async () => {
    expect(await start(["--sets", "x"]).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining("See drover eval --help."),
    });
    expect(await start([]).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining("required option '--set <dir>' not specified"),
    });
  });
});

describe("a run that somebody interrupts", () => {
  let provider: ScriptedProvider;
  const heard = new EventEmitter();
  beforeAll(async () => {
    provider = await openScriptedProvider(({ text }) => {
      if (text.includes("download/slots.go")) heard.emit("slots");
      return [];
    });
  });
  afterAll(async () => {
    await provider.close();
  });

  test("reports what was done, and goes on from there", async () => {
    await withFolder(async (folder) => {
      const [config, answers] = [join(folder, "config.yml"), join(folder, "answers.jsonl")];
      await writeFile(config, provider.configOf("some-model"));
      const args = ["--set", join(ownSet, "logic"), "--config", config, "--resume", answers, "--jobs", "1"];
      const slots = once(heard, "slots");
      const run = start(args);
      await slots;
      run.stop();
      const { code, out, err } = await run.ended;
      expect(code).toBe(1);
      expect(err).toContain("no pass: not everything was run");
      const left = Number(/Stopped: (\d+) looks? w/.exec(out)?.[1]);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(16);
      const asked = provider.requests().length;
      const again = await start(args).ended;
      expect(again.code).toBe(0);
      expect(again.out).toContain(`${16 - left} answers of an earlier run used again.`);
      // Two turns for each look that finds nothing.
      expect(provider.requests().length - asked).toBe(2 * left);
    });
  });
});
