import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectSnapshotFiles } from "#git/checkout-snapshot.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-sort-out-"));
  await writeFile(join(folder, "small"), "12345");
  await writeFile(join(folder, "other"), "12345");
  await writeFile(join(folder, "large"), "1".repeat(100));
  await mkdir(join(folder, "nested"));
  await symlink("/dev/zero", join(folder, "link"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const limits = { filesMax: 10, fileBytesMax: 50, bytesMax: 1_000 };

describe("sortOut", () => {
  it("takes files, links and what is gone, and leaves other repositories and what is too large", async () => {
    expect(await selectSnapshotFiles(folder, ["small", "large", "link", "gone", "nested/"], limits)).toEqual({
      taken: ["small", "link", "gone"],
      leftOut: [
        { path: "large", why: "size" },
        { path: "nested/", why: "excluded" },
      ],
    });
  });

  it("leaves what is no file at all", async () => {
    expect(await selectSnapshotFiles("/dev", ["null"], limits)).toEqual({
      taken: [],
      leftOut: [{ path: "null", why: "unreadable" }],
    });
  });

  it("stops at a number of files and of bytes, and says so", async () => {
    expect(await selectSnapshotFiles(folder, ["small", "other"], { ...limits, bytesMax: 8 })).toEqual({
      taken: ["small"],
      leftOut: [{ path: "other", why: "size" }],
    });
    expect(await selectSnapshotFiles(folder, ["small", "other", "gone"], { ...limits, filesMax: 1 })).toEqual({
      taken: ["small"],
      leftOut: [{ path: "(2 more files)", why: "size" }],
    });
  });
});
