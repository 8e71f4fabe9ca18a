import { chmod, mkdtemp, rm } from "node:fs/promises";
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
});
