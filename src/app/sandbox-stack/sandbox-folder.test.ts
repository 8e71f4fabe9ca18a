import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareSandboxFolder } from "#app/sandbox-stack/sandbox-folder.ts";

let place = "";

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "drover-folder-"));
});

afterEach(async () => {
  await rm(place, { recursive: true, force: true });
});

it("the demo makes the folder that was asked for, and accepts an empty one", async () => {
  const folder = join(place, "a", "b");
  expect(await prepareSandboxFolder(folder)).toMatchObject({ kind: "ready" });
  expect(await prepareSandboxFolder(folder)).toMatchObject({ kind: "ready" });
});

it("the demo refuses a folder that holds something", async () => {
  await writeFile(join(place, "precious"), "");
  expect(await prepareSandboxFolder(place)).toMatchObject({ kind: "unfit", why: "is not empty" });
  expect(await readdir(place)).toEqual(["precious"]);
});

it("the demo says so if its folder is a file", async () => {
  await writeFile(join(place, "file"), "");
  expect(await prepareSandboxFolder(join(place, "file"))).toMatchObject({
    kind: "unfit",
    why: "cannot be used (EEXIST)",
  });
});
