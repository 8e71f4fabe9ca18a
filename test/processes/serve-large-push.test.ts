import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

let world: ServeWorld;
beforeAll(async () => {
  world = await openServeWorld();
});
afterAll(() => world.close());

/** Half of what git takes to compare the file below line by line. */
const gitKilobytes = 700_000;

/** It is pushed as some kilobytes. */
const emptyLines = "\n".repeat(32_000_000);

/** Of a machine on which no git process has more memory than that. */
async function smallMachinePath(): Promise<string> {
  const git = execFileSync("/bin/sh", ["-c", "command -v git"]).toString().trim();
  const folder = join(world.side.folder, "programs");
  await mkdir(folder);
  await writeFile(join(folder, "git"), `#!/bin/sh\nulimit -v ${gitKilobytes}\nexec ${git} "$@"\n`, { mode: 0o755 });
  return `${folder}:${process.env["PATH"] ?? ""}`;
}

async function openPull(): Promise<PullRef> {
  const { forge } = world.side;
  const [repository] = forge.repositories;
  if (repository === undefined) throw new Error("there is no repository");
  const ada = forge.sandbox.as(forge.people.ada);
  const changes = { "src/empty-lines.txt": emptyLines, "src/fine.ts": "export const fine = 1;\n" };
  await ada.push({ repository, branch: "large", changes, message: "Add lines" });
  return await ada.openPull({ repository, branch: "large", base: "main", title: "Lines", body: "Please." });
}

describe("a push of some kilobytes that holds millions of empty lines", { timeout: 240_000 }, () => {
  it("takes no gigabytes to look at: the file is said to be unread, and nothing is approved", async () => {
    const node = await world.ready({ env: { PATH: await smallMachinePath() } });
    const pull = await openPull();
    const look = (): SandboxPull => world.side.forge.sandbox.look(pull);
    await until(
      () => look().reviews.length > 0,
      () => node.output(),
    );
    const [review] = look().reviews;
    expect(review?.body).toMatch(/\*\*Not read\*\* \(1\)[^]*src\/empty-lines\.txt/);
    expect(look().reviews.map(({ state }) => state)).not.toContain("approved");
    expect(node.output()).not.toMatch(/out of memory/i);
  });
});
