import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "#database/open-database.ts";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import { silentLog } from "#testing/makers.ts";

const log = silentLog;

describe("a database that Drover shares with somebody who is not to be trusted", () => {
  let test: TestDatabase;
  let admin: Client;
  const [mallory, drover] = ["mallory", "drover"].map((name) => `${name}_${randomBytes(6).toString("hex")}`);
  beforeEach(async (context) => {
    needPostgres(context);
    test = await openTestDatabase();
    admin = new Client({ connectionString: test.url });
    await admin.connect();
    await admin.query(`create role ${mallory}; create role ${drover} login password 'sesame'`);
    await admin.query(`grant create, usage on schema public to ${mallory}, ${drover}`);
  });
  afterEach(async () => {
    if (test === undefined) return;
    await admin.query(`drop owned by ${mallory}, ${drover}; drop role ${mallory}; drop role ${drover}`);
    await admin.end();
    await test.drop();
  });

  async function asMallory(...statements: readonly string[]): Promise<void> {
    await admin.query(`set role ${mallory}; ${statements.join("; ")}; reset role`);
  }

  /** As a user without rights over others, and as the administrator. */
  async function open(who: "drover" | "admin"): Promise<void> {
    const url = who === "drover" ? urlOf(drover) : test.url;
    await (await openDatabase({ kind: "postgres", url }, { log })).close();
  }

  function urlOf(role = ""): string {
    return Object.assign(new URL(test.url), { username: role, password: "sesame" }).href;
  }

  const trap = [
    "create table caught (who text)",
    "grant all on caught to public",
    `create function spring() returns trigger language plpgsql as
      'begin insert into public.caught values (current_user); return new; end'`,
    "create table migration (name text primary key, made_at timestamptz not null default now())",
    "create trigger springs before insert on migration for each row execute function spring()",
    "grant all on migration to public",
  ];

  it.each(["drover", "admin"] as const)("is refused where a table was planted, to %s", async (who) => {
    await asMallory(...trap);
    await expect(open(who)).rejects.toMatchObject({
      kind: "foreign",
      message: expect.stringMatching(
        /the table migration belongs to mallory_\w+, and Drover is .*create schema drover/,
      ),
    });
    expect((await admin.query("select * from caught")).rows).toEqual([]);
  });

  it.each([
    ["a view", "create view queue_place as select 1 as one"],
    [
      "a function like one of PostgreSQL's",
      "create function lower(varchar) returns text language sql as 'select null::text'",
    ],
  ])("is refused where %s was planted", async (_what, statement) => {
    await asMallory(statement);
    await expect(open("drover")).rejects.toMatchObject({ kind: "foreign" });
  });

  it("is refused where the schema of Drover's own name is somebody else's", async () => {
    await admin.query(`create schema ${drover} authorization ${mallory}; grant all on schema ${drover} to ${drover}`);
    await expect(open("drover")).rejects.toMatchObject({ kind: "foreign" });
  });

  it("is used where others have tables of other names, and again after that", async () => {
    await asMallory("create table sheep (name text)");
    await open("drover");
    await expect(open("drover")).resolves.toBeUndefined();
  });

  it("is used by the next user who may act as the one that made it", async () => {
    await open("drover");
    await admin.query(`create role heir_${drover} login password 'sesame'; grant ${drover} to heir_${drover}`);
    const database = await openDatabase({ kind: "postgres", url: urlOf(`heir_${drover}`) }, { log });
    expect(database.kind).toBe("postgres");
    await database.close();
    await admin.query(`drop role heir_${drover}`);
  });

  it("is still looked at in the place where it was opened when somebody makes a schema of Drover's name", async () => {
    const database = await openDatabase({ kind: "postgres", url: urlOf(drover) }, { log });
    await admin.query(`create schema ${drover} authorization ${mallory}; grant all on schema ${drover} to ${drover}`);
    await asMallory(
      `create table ${drover}.pause (instance text, until bigint)`,
      `grant all on ${drover}.pause to public`,
    );
    const all = Array.from({ length: 4 }, () =>
      database.db.insertInto("pause").values({ instance: crypto.randomUUID(), until: 1 }).execute(),
    );
    await Promise.all(all);
    expect((await admin.query(`select * from ${drover}.pause`)).rows).toEqual([]);
    await database.close();
  });
});
