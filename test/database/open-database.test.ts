import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { makeEmbeddedFolder } from "#harness/embedded-template.ts";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import type { Log } from "#ports/log.ts";
import { eventually } from "./eventually.ts";
import { startOldServer } from "./old-server.ts";

const lines: string[] = [];
const log: Log = {
  info: (_, message) => lines.push(message),
  warn: (_, message) => lines.push(message),
  error: (_, message) => lines.push(message),
};

beforeEach(() => {
  lines.length = 0;
});

describe("opening PostgreSQL", () => {
  let server: TestDatabase;
  beforeEach(async (context) => {
    needPostgres(context);
    server = await openTestDatabase();
    return async () => server.drop();
  });

  it("brings its tables up to date, once", async () => {
    for (const told of [["database is up to date"], []]) {
      lines.length = 0;
      const database = await openDatabase({ kind: "postgres", url: server.url }, { log });
      expect(await database.db.selectFrom("pull").selectAll().execute()).toEqual([]);
      expect(lines).toEqual(told);
      await database.close();
    }
  });

  it.each<[string, (url: URL) => void, string, RegExp]>([
    [
      "nobody is there",
      (url) => (url.port = "1"),
      "unreachable",
      /127\.0\.0\.1:1\/\w+ does not answer \(ECONNREFUSED\)/,
    ],
    ["the host has no address", (url) => (url.hostname = "drover.invalid"), "unreachable", /See that it runs/],
    ["the password is wrong", (url) => (url.password = "sesame"), "refused", /user or the password is wrong/],
    ["there is no such database", (url) => (url.pathname = "/nowhere"), "refused", /Make it with createdb/],
  ])("says what to do if %s", async (_, change, kind, words) => {
    const url = new URL(server.url);
    change(url);
    const opening = openDatabase({ kind: "postgres", url: url.href }, { log });
    await expect(opening).rejects.toMatchObject({ kind, message: expect.stringMatching(words) });
    await expect(opening).rejects.not.toThrow(url.password || "@");
  });

  it("says what to do if its user may make no tables", async () => {
    const database = openPostgres(server.url);
    const { db } = database;
    await sql`create role guest login password 'guest'`.execute(db);
    const url = new URL(server.url);
    url.username = "guest";
    url.password = "guest";
    for (const statement of [
      "revoke create on schema public from public",
      "revoke usage on schema public from public",
    ]) {
      await sql.raw(statement).execute(db);
      await expect(openDatabase({ kind: "postgres", url: url.href }, { log })).rejects.toMatchObject({
        kind: "refused",
        message: expect.stringMatching(/Grant it .*CREATE/),
      });
    }
    await sql`drop role guest`.execute(db);
    await database.close();
  });
});

describe("opening what is no address of PostgreSQL", () => {
  it.each(["postgres://drover:hunter2@127.0.0.1:port/drover", "mysql://drover:hunter2@127.0.0.1/drover", "drover"])(
    "(%s) is refused with an example, and without the password",
    async (url) => {
      const opened = openDatabase({ kind: "postgres", url }, { log });
      await expect(opened).rejects.toMatchObject({
        kind: "refused",
        message:
          "DATABASE_URL is not the address of a PostgreSQL database. It looks like postgres://user:password@host:5432/database.",
      });
    },
  );
});

describe("an address of PostgreSQL without a host", () => {
  it.each([
    "postgres://drover:hunter2@/drover?host=/nowhere/at/all",
    "/nowhere/at/all drover",
    "socket:/nowhere/at/all",
  ])("(%s) is that of a socket", async (url) => {
    const opened = openDatabase({ kind: "postgres", url }, { log });
    await expect(opened).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("opening an old server", () => {
  it("is refused before anything is changed in it", async () => {
    const { url, close } = await startOldServer();
    await expect(openDatabase({ kind: "postgres", url }, { log })).rejects.toMatchObject({
      kind: "too_old",
      message: expect.stringContaining("is version 12.22; Drover needs 13 or newer"),
    });
    close();
  });
});

describe("opening a folder", () => {
  let place: string;
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), "drover-place-"));
    ({ folder, remove } = await makeEmbeddedFolder());
  });
  afterEach(async () => {
    await rm(place, { recursive: true, force: true });
    await remove();
  });

  it("writes nothing more when another process has got it, and says so to whoever asks", async () => {
    const told: string[] = [];
    const onLost = ({ message }: Error): void => void told.push(message);
    const database = await openDatabase({ kind: "embedded", folder }, { log, onLost });
    for (const name of await readdir(folder)) if (name.startsWith("lock.")) await rm(join(folder, name));
    const words = "belongs to another process now";
    await eventually(async () => told.length > 0);
    expect(told).toEqual([expect.stringContaining(words)]);
    await expect(database.db.selectFrom("pull").selectAll().execute()).rejects.toThrow(words);
    await database.close();
    expect((await readdir(folder)).filter((name) => name.startsWith("lock."))).toEqual([]);
  });

  it("brings its tables up to date, keeps others out, and keeps house until it is closed", async () => {
    const housekeeping = { checkpointMs: 20, vacuumMs: 20 };
    const database = await openDatabase({ kind: "embedded", folder }, { log, housekeeping });
    const { db } = database;
    const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    await expect(openDatabase({ kind: "embedded", folder }, { log })).rejects.toMatchObject({ kind: "in_use" });
    const lastCheckpoint = async (): Promise<string> => {
      const found = await sql<{ lsn: string }>`select checkpoint_lsn::text as lsn from pg_control_checkpoint()`.execute(
        db,
      );
      return found.rows[0]?.lsn ?? "";
    };
    const first = await lastCheckpoint();
    await sql`insert into pull (key, version, content) values ('a', 1, '{}')`.execute(db);
    await eventually(async () => (await lastCheckpoint()) !== first);
    await eventually(async () => {
      const kept = await sql`select relid from pg_stat_user_tables where relname = 'pull' and vacuum_count > 0`.execute(
        db,
      );
      return kept.rows.length === 1;
    });
    await database.close();
    expect(lines).toEqual(["database is up to date"]);
  });

  it("says what to do if the folder cannot be made", async () => {
    const file = join(place, "file");
    await writeFile(file, "");
    await expect(openDatabase({ kind: "embedded", folder: join(file, "data") }, { log })).rejects.toMatchObject({
      kind: "not_writable",
      message: expect.stringContaining("Give Drover a folder that its user may write"),
    });
  });

  it("says what to do if what is in it is damaged, and lets go of it", async () => {
    await writeFile(join(folder, "engine/global/pg_control"), "nonsense");
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(openDatabase({ kind: "embedded", folder }, { log })).rejects.toMatchObject({
        kind: "damaged",
        message: expect.stringMatching(/does not start: .*(PANIC|FATAL).*put back a copy/),
      });
    }
  });

  it("does not mind what a killed process left behind", async () => {
    await mkdir(join(folder, "engine.new"));
    await writeFile(join(folder, "engine/postmaster.pid"), "");
    const database = await openDatabase({ kind: "embedded", folder }, { log });
    await expect(sql`select 1`.execute(database.db)).resolves.toHaveProperty("rows");
    await database.close();
  });
});
