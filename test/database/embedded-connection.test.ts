import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/database.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { eventually } from "./eventually.ts";

let database: Database;
beforeEach(async () => {
  database = await openTestEmbedded();
  await sql`create table sheep (name text primary key)`.execute(database.db);
});
afterEach(async () => database.close());

async function herd(name: string): Promise<void> {
  await sql`insert into sheep values (${name})`.execute(database.db);
}

async function names(): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from sheep order by name`.execute(database.db);
  return rows.map(({ name }) => name);
}

async function ring(channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(database.db);
}

describe("the one connection of the embedded engine", () => {
  it("keeps what others write out of a transaction that is undone", async () => {
    const undone = database.db.transaction().execute(async (trx) => {
      await sql`insert into sheep values ('Dolly')`.execute(trx);
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error("undo");
    });
    await Promise.all([expect(undone).rejects.toThrow("undo"), herd("Shaun")]);
    expect(await names()).toEqual(["Shaun"]);
  });

  it("lets the rest of the process have its turn after each statement", async () => {
    const statements = 10;
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    for (let count = 0; count < statements; count++) await names();
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(statements - 1);
  });

  it("is given back by whoever failed", async () => {
    await herd("Dolly");
    await expect(herd("Dolly")).rejects.toMatchObject({ code: "23505" });
    const failed = database.db.transaction().execute((trx) => sql`insert into sheep values ('Dolly')`.execute(trx));
    await expect(failed).rejects.toMatchObject({ code: "23505" });
    expect(await names()).toEqual(["Dolly"]);
  });

  it("answers with numbers where PostgreSQL counts, and with how many rows it has changed", async () => {
    await Promise.all(["Dolly", "Shaun", "Timmy"].map(herd));
    const { rows } = await sql`select count(*), 4000000000::int8 as large from sheep`.execute(database.db);
    expect(rows).toEqual([{ count: 3, large: 4_000_000_000 }]);
    const { numAffectedRows } = await sql`delete from sheep where name <> 'Dolly'`.execute(database.db);
    expect(numAffectedRows).toBe(2n);
  });

  it("hears on although a transaction that was under way when it began to listen is undone", async () => {
    let heard = 0;
    let ear: Promise<unknown> | undefined;
    const undone = database.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      ear = database.listen("Bell", () => {
        heard += 1;
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    await ear;
    await ring("Bell");
    await eventually(() => heard === 1);
    expect(heard).toBe(1);
  });

  it("tells each listener of its own channel, until that one stops", async () => {
    const heard: string[] = [];
    const [one, other] = await Promise.all(
      ["Bell", "bell"].map((channel) => database.listen(channel, () => heard.push(channel))),
    );
    await ring("Bell");
    await ring("bell");
    await eventually(() => heard.length === 2);
    await one?.stop();
    await ring("Bell");
    await ring("bell");
    await eventually(() => heard.length === 3);
    expect(heard).toEqual(["Bell", "bell", "bell"]);
    await other?.stop();
  });
});
