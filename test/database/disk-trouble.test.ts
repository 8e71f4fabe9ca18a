import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/database.ts";
import { openEmbedded } from "#database/open-embedded.ts";
import { makeEmbeddedFolder } from "#harness/embedded-template.ts";
import { type DiskOperation, type RecordedDisk, recordDisk } from "./recorded-disk.ts";

const timeout = 120_000;

let remove: () => Promise<void>;
let disk: RecordedDisk;
let database: Database;
beforeEach(async () => {
  const made = await makeEmbeddedFolder();
  ({ remove } = made);
  disk = recordDisk(join(made.folder, "engine"));
  database = await openEmbedded({ folder: made.folder });
  await sql`create table sheep (name text)`.execute(database.db);
  await herd("Dolly");
});
afterEach(async () => {
  disk.onOperation = () => undefined;
  await database.close();
  disk.stop();
  await remove();
});

async function herd(name: string): Promise<void> {
  await sql`insert into sheep values (${name})`.execute(database.db);
}

async function names(): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select distinct left(name, 10) as name from sheep`.execute(database.db);
  return rows.map(({ name }) => name).sort();
}

/** From now on the disk answers such operations with an error. */
function breakDisk(code: string, isHit: (operation: DiskOperation) => boolean): void {
  disk.onOperation = (operation) => {
    if (isHit(operation)) throw Object.assign(new Error(code), { code });
  };
}

async function untilRevived<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

describe("a disk that is full", () => {
  it("fails what needs the log, says so, loses nothing, and all works again when there is room", {
    timeout,
  }, async () => {
    breakDisk("ENOSPC", ({ kind, path }) => kind !== "sync" && kind !== "remove" && path.includes("pg_wal"));
    await expect(herd("Shaun")).rejects.toMatchObject({
      kind: "disk_full",
      message: expect.stringContaining("Make room"),
    });
    await expect(herd("Timmy")).rejects.toMatchObject({ kind: "disk_full" });
    disk.onOperation = () => undefined;
    await untilRevived(() => herd("Bitzer"));
    expect(await names()).toEqual(expect.arrayContaining(["Bitzer", "Dolly"]));
    expect(await names()).not.toContain("Timmy");
  });

  it("fails one statement where only a table cannot grow, and the engine goes on", { timeout }, async () => {
    breakDisk("ENOSPC", ({ kind, path }) => kind !== "sync" && path.includes("/base/"));
    const flock = sql`insert into sheep select repeat('Shaun ', 100) from generate_series(1, 1000)`;
    await expect(flock.execute(database.db)).rejects.toMatchObject({ code: "53100" });
    disk.onOperation = () => undefined;
    expect(await names()).toEqual(["Dolly"]);
    await flock.execute(database.db);
    expect(await names()).toEqual(["Dolly", "Shaun Shau"]);
  });
});

describe("a disk that fails to sync", () => {
  it("has no commit answered, and the engine comes back with what was answered", { timeout }, async () => {
    let notices = 0;
    const ear = await database.listen("bell", () => {
      notices += 1;
    });
    breakDisk("EIO", ({ kind, path }) => kind === "sync" && path.includes("pg_wal"));
    await expect(herd("Shaun")).rejects.toMatchObject({ kind: "broken" });
    disk.onOperation = () => undefined;
    expect(await untilRevived(names)).toContain("Dolly");
    // Whoever listens is told that something may have been missed, and hears on.
    expect(notices).toBe(1);
    await sql`select pg_notify('bell', '')`.execute(database.db);
    await untilRevived(async () => expect(notices).toBe(2));
    await ear.stop();
    await herd("Timmy");
  });

  it("breaks off the transaction that was under way, all of it", { timeout }, async () => {
    const transaction = database.db.transaction().execute(async (trx) => {
      await sql`insert into sheep values ('Shaun')`.execute(trx);
      breakDisk("EIO", ({ kind }) => kind === "sync");
      await sql`checkpoint`.execute(trx).catch(() => undefined);
      disk.onOperation = () => undefined;
      await sql`insert into sheep values ('Timmy')`.execute(trx);
    });
    await expect(transaction).rejects.toMatchObject({ kind: "broken" });
    expect(await untilRevived(names)).toEqual(["Dolly"]);
  });
});
