import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/database.ts";
import { isOutdated, type Migration, migrate, migrations } from "#database/migrate.ts";
import { openPostgres } from "#database/open-postgres.ts";
import type { Tables } from "#database/tables.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { needPostgres, openTestDatabase } from "#harness/postgres.ts";

const sheep: Migration = {
  name: "0001-sheep",
  statements: [
    "create table sheep (name text primary key, wool integer)",
    "create index sheep_by_wool on sheep (wool)",
  ],
};
const shorn: Migration = {
  name: "0002-shorn",
  statements: [
    "alter table sheep add column is_shorn boolean",
    "update sheep set is_shorn = wool is null",
    "alter table sheep alter column is_shorn set not null",
  ],
};
const broken: Migration = {
  name: "0003-broken",
  statements: ["create table pen (name text)", "update sheep set name = 'all the same'"],
};

async function fill(db: Kysely<Tables>): Promise<void> {
  await sql`insert into sheep (name, wool) values ('Dolly', 3), ('Shaun', null)`.execute(db);
}

async function rowsOf(db: Kysely<Tables>): Promise<readonly unknown[]> {
  return (await sql`select * from sheep order by name`.execute(db)).rows;
}

async function tablesIn(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'
  `.execute(db);
  return rows.map(({ name }) => name).sort();
}

interface Engine {
  readonly name: string;
  /** Two ways into one database, as two processes would have. */
  readonly open: () => Promise<readonly [Database, Database, () => Promise<void>]>;
}

const engines: readonly Engine[] = [
  {
    name: "the embedded engine",
    open: async () => {
      const database = await openTestEmbedded();
      return [database, database, () => database.close()];
    },
  },
  {
    name: "PostgreSQL",
    open: async () => {
      const server = await openTestDatabase();
      const [one, other] = [openPostgres(server.url), openPostgres(server.url)];
      const close = async (): Promise<void> => {
        await Promise.all([one.close(), other.close()]);
        await server.drop();
      };
      return [one, other, close];
    },
  },
];

describe.each(engines)("migrations on $name", ({ name, open }) => {
  let one: Kysely<Tables>;
  let other: Kysely<Tables>;
  let close: (() => Promise<void>) | undefined;
  beforeEach(async (context) => {
    if (name === "PostgreSQL") needPostgres(context);
    const [first, second, closeBoth] = await open();
    one = first.db;
    other = second.db;
    close = closeBoth;
  });
  afterEach(async () => {
    await close?.();
    close = undefined;
  });

  it("change a table that has rows in it, and keep them", async () => {
    expect(await migrate(one, [sheep])).toEqual(["0001-sheep"]);
    await fill(one);
    expect(await migrate(one, [sheep, shorn])).toEqual(["0002-shorn"]);
    expect(await rowsOf(one)).toEqual([
      { name: "Dolly", wool: 3, is_shorn: false },
      { name: "Shaun", wool: null, is_shorn: true },
    ]);
    expect(await migrate(one, [sheep, shorn])).toEqual([]);
  });

  it("are made once by several that start at the same moment", async () => {
    const made = await Promise.all([one, other, one, other].map((db) => migrate(db, [sheep, shorn])));
    expect(made.flat()).toEqual(["0001-sheep", "0002-shorn"]);
    expect(await tablesIn(other)).toEqual(["migration", "sheep"]);
  });

  it("leave nothing behind of one that fails, nor of those that came with it", async () => {
    await migrate(one, [sheep]);
    await fill(one);
    await expect(migrate(one, [sheep, shorn, broken])).rejects.toMatchObject({ code: "23505" });
    expect(await tablesIn(one)).toEqual(["migration", "sheep"]);
    expect(await rowsOf(one)).toEqual([
      { name: "Dolly", wool: 3 },
      { name: "Shaun", wool: null },
    ]);
    expect(await migrate(other, [sheep, shorn])).toEqual(["0002-shorn"]);
  });

  it("leave alone what a newer version has made", async () => {
    await migrate(one, [sheep, shorn, { name: "0009-newer", statements: ["create table dog (name text)"] }]);
    expect(await migrate(other, [sheep, shorn])).toEqual([]);
    expect(await tablesIn(other)).toEqual(["dog", "migration", "sheep"]);
  });

  it("tell an earlier version that a later one was here, and nobody else", async () => {
    await migrate(one);
    expect([await isOutdated(one), await isOutdated(other)]).toEqual([false, false]);
    await migrate(one, [...migrations, { name: "9999-later", statements: [] }]);
    expect([await isOutdated(one), await isOutdated(other)]).toEqual([true, true]);
  });

  it("of Drover itself keep the rows of every table that was there before", async () => {
    for (let count = 1; count < migrations.length; count += 1) {
      await migrate(one, migrations.slice(0, count));
      const before = await fillAll(one);
      await migrate(one, migrations.slice(0, count + 1));
      expect(await countAll(one)).toMatchObject(before);
    }
  });
});

describe("migrations while somebody else has their lock", () => {
  it("say who that is while they wait, and what to do when it takes too long", async (context) => {
    needPostgres(context);
    const server = await openTestDatabase();
    const [one, other] = [openPostgres(server.url), openPostgres(server.url)];
    const told: string[] = [];
    try {
      await other.db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(4170001)`.execute(trx);
        const waiting = { pollMs: 5, msMax: 1_000, onWait: (holder: string) => void told.push(holder) };
        await expect(migrate(one.db, [sheep], waiting)).rejects.toMatchObject({
          kind: "locked",
          message: expect.stringMatching(/held by connection (\d+) \(program drover, .*pg_terminate_backend\(\1\)/),
        });
      });
      expect(told).toEqual([expect.stringMatching(/^connection \d+ \(program drover, role \w+/)]);
      expect(await migrate(one.db, [sheep])).toEqual(["0001-sheep"]);
    } finally {
      await Promise.all([one.close(), other.close()]);
      await server.drop();
    }
  });
});

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const samples: Readonly<Record<string, string>> = {
  text: "'a'",
  smallint: "1",
  integer: "1",
  bigint: "1",
  boolean: "true",
  json: "'{}'",
  jsonb: "'{}'",
  "timestamp with time zone": "now()",
};

/** In the queue what is buried is alone. */
const emptyColumns = /^buried_/;

/** One row in each table that has none, of whatever its columns take; answers with the number of rows in each. */
async function fillAll(db: Kysely<Tables>): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<Column>`
    select table_name as table, column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name <> 'migration' and is_identity = 'NO' and is_generated = 'NEVER'
  `.execute(db);
  for (const [table, count] of Object.entries(await countAll(db))) {
    const columns = rows.filter((column) => column.table === table && !emptyColumns.test(column.name));
    const values = columns.map(({ type }) => samples[type] ?? "null").join(", ");
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    if (count === 0) await sql.raw(`insert into "${table}" (${names}) values (${values})`).execute(db);
  }
  return await countAll(db);
}

async function countAll(db: Kysely<Tables>): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesIn(db)) {
    const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db);
    if (table !== "migration") counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
