import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataFolder } from "#app/serve/data-folder.ts";

describe("a data folder", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "drover-data-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([0o777, 0o770, 0o702])("that others may write is refused (mode %o)", async (mode) => {
    await chmod(folder, mode);
    await expect(openDataFolder(folder)).rejects.toThrow(/others may write to the data folder .*chmod go-w/);
  });

  it.each([0o700, 0o755])("that others may read at most is taken (mode %o)", async (mode) => {
    await chmod(folder, mode);
    expect((await openDataFolder(folder)).root).toContain("drover-data-");
    expect((await openDataFolder(join(folder, "new"))).root).toContain("new");
  });

  it("is kept out of git, by a file that git ignores as well", async () => {
    await openDataFolder(folder);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("keeps the operator's own .gitignore", async () => {
    await writeFile(join(folder, ".gitignore"), "mine\n");
    await openDataFolder(folder);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("mine\n");
  });

  it("that is the root of a checkout does not hide the files of the project", async () => {
    await mkdir(join(folder, ".git"));
    await openDataFolder(folder);
    expect(await readdir(folder)).toEqual([".git"]);
  });
});
