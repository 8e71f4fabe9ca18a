import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { migrate } from "#database/migrate.ts";
import { openTestEmbedded } from "#harness/embedded.ts";

describe("an embedded database for one test", () => {
  it("is empty although the one before was not", async () => {
    const one = await openTestEmbedded();
    await migrate(one.db);
    await sql`create schema boss`.execute(one.db);
    await sql`create table boss.sheep (name text)`.execute(one.db);
    await sql`set search_path to boss`.execute(one.db);
    await one.close();
    const other = await openTestEmbedded();
    expect(await migrate(other.db)).not.toEqual([]);
    await expect(sql`select name from boss.sheep`.execute(other.db)).rejects.toThrow("boss");
    await other.close();
  });

  it("is of its own while others are open", async () => {
    const one = await openTestEmbedded();
    const other = await openTestEmbedded();
    await sql`create table sheep (name text)`.execute(one.db);
    await expect(sql`select name from sheep`.execute(other.db)).rejects.toThrow("sheep");
    await one.close();
    await other.close();
  });

  it("answers nobody after it was closed", async () => {
    const database = await openTestEmbedded();
    await database.close();
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow("destroyed");
  });
});
