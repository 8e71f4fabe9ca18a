import { Client } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { needPostgres, openTestDatabase } from "#harness/postgres.ts";

async function ask(url: string, question: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

describe("a database for one test", () => {
  beforeEach(needPostgres);

  it("is empty, of its own, and gone afterwards", async () => {
    const [one, other] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    await ask(one.url, "create table sheep (name text)");
    expect(await ask(one.url, "select name from sheep")).toEqual([]);
    await expect(ask(other.url, "select name from sheep")).rejects.toThrow("sheep");
    await one.drop();
    await other.drop();
    await expect(ask(one.url, "select 1")).rejects.toThrow("does not exist");
  });

  it("goes although somebody is still connected", async () => {
    const database = await openTestDatabase();
    const client = new Client({ connectionString: database.url });
    client.on("error", () => undefined);
    await client.connect();
    await database.drop();
    await expect(ask(database.url, "select 1")).rejects.toThrow("does not exist");
  });
});
