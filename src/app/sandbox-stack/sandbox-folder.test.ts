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

it("makes the folder that was asked for, and takes an empty one", async () => {
  const folder = join(place, "a", "b");
  expect(await prepareSandboxFolder(folder)).toMatchObject({ kind: "ready" });
  expect(await prepareSandboxFolder(folder)).toMatchObject({ kind: "ready" });
});

it("leaves a folder alone that holds something", async () => {
  await writeFile(join(place, "precious"), "");
  expect(await prepareSandboxFolder(place)).toMatchObject({ kind: "unfit", why: "is not empty" });
  expect(await readdir(place)).toEqual(["precious"]);
});

it("says so where there is a file instead", async () => {
  await writeFile(join(place, "file"), "");
  expect(await prepareSandboxFolder(join(place, "file"))).toMatchObject({
    kind: "unfit",
    why: "cannot be used (EEXIST)",
  });
});
