import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomically } from "#app/database/move-database.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-whole-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a file that is whole or not there", () => {
  it("is not there after what fills it has failed, and the next try finds its place free", async () => {
    const file = join(folder, "drover.dump");
    const failing = writeFileAtomically(file, async (write) => {
      await write("the first line\n");
      throw new Error("the database is gone");
    });
    await expect(failing).rejects.toThrow("the database is gone");
    expect(await readdir(folder)).toEqual([]);
    await writeFileAtomically(file, async (write) => await write("all of it\n"));
    expect(await readFile(file, "utf8")).toBe("all of it\n");
    expect(await readdir(folder)).toEqual(["drover.dump"]);
  });

  it("has its name only when all of it is written", async () => {
    const file = join(folder, "drover.dump");
    const names = await writeFileAtomically(file, async (write) => {
      await write("a line\n");
      return await readdir(folder);
    });
    expect(names).not.toContain("drover.dump");
  });

  it("takes the place of no other, also of one that came meanwhile", async () => {
    const file = join(folder, "drover.dump");
    const late = writeFileAtomically(file, async (write) => {
      await write("late\n");
      await writeFile(file, "first\n");
    });
    await expect(late).rejects.toThrow("is there already (EEXIST)");
    expect(await readFile(file, "utf8")).toBe("first\n");
  });
});
