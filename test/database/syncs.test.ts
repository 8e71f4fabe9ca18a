import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startPgliteEngine } from "#database/embedded/pglite-engine.ts";
import { SyncedFiles } from "#database/embedded/synced-files.ts";
import { checkDurability, durableStart, openEmbedded } from "#database/open-embedded.ts";
import { makeEmbeddedFolder } from "#harness/embedded-template.ts";
import { type DiskOperation, recordDisk } from "./recorded-disk.ts";

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ folder, remove } = await makeEmbeddedFolder());
});
afterEach(async () => remove());

/** As PGlite's own files are: without syncs. */
class UnsyncedFiles extends SyncedFiles {
  override init(...args: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    return NodeFS.prototype.init.apply(this, args);
  }
}

function createFiles(place: string): SyncedFiles {
  return new UnsyncedFiles(place);
}

describe("the embedded engine", () => {
  it("does not open on files that do not sync, and leaves the folder to others", async () => {
    await expect(openEmbedded({ folder, createFiles })).rejects.toMatchObject({
      kind: "not_durable",
      message: expect.stringContaining("a commit was answered and its log had not been synced"),
    });
    await (await openEmbedded({ folder })).close();
  });

  it.each([
    ["as PGlite starts it", PGlite.defaultStartParams, "fsync is off"],
    ["with the usual way to sync", durableStart.map((word) => word.replace("=fsync", "=fdatasync")), "not been synced"],
  ])("is not trusted %s", async (_, startParameters, why) => {
    const files = new SyncedFiles(join(folder, "engine"));
    const engine = await startPgliteEngine({ files, startParameters });
    await expect(checkDurability(engine, files)).rejects.toThrow(why);
    await engine.close();
  });

  it("answers a commit after its log was synced, and writes none of it later", async () => {
    const disk = recordDisk(join(folder, "engine"));
    onTestFinished(disk.stop);
    const database = await openEmbedded({ folder });
    const { db } = database;
    await sql`create table sheep (name text)`.execute(db);
    const seen: DiskOperation[] = [];
    disk.onOperation = (operation) => seen.push(operation);
    for (const name of ["Dolly", "Shaun", "Timmy"]) {
      seen.length = 0;
      await sql`insert into sheep values (${name})`.execute(db);
      const log = seen.filter(({ path }) => path.includes("pg_wal")).map(({ kind }) => kind);
      expect(log).toEqual([...log.slice(0, -1).map(() => "write"), "sync"]);
    }
    seen.length = 0;
    await sql`select name from sheep`.execute(db);
    expect(seen).toEqual([]);
    disk.onOperation = () => undefined;
    disk.stop();
    await database.close();
  });
});
