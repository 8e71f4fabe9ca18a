import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "#cli/command-line.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { openDatabase } from "#database/open-database.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { needPostgres, openTestDatabase, type TestDatabase } from "#harness/postgres.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { createSqlStore } from "#store/sql-store.ts";
import { silentLog } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";

const instance = InstanceId.parse("here");
const pull = pullKeyOf(instance, { repository: { id: RepositoryId.parse("7"), name: "acme/tools" }, number: 1 });
async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const searchPath = process.env["PATH"] ?? "";
  const { terminal, said } = heardTerminal({ readFile: async (path) => await readFile(path, "utf8"), searchPath, env });
  const code = await runCommandLine(argv, terminal);
  return { ...said, code };
}

describe("drover db where there is nothing", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "drover-db-nothing-"));
    return async () => await rm(folder, { recursive: true, force: true });
  });

  it("export from a folder without a database fails, and makes neither folder nor file", async () => {
    const typo = join(folder, "drover-dtaa");
    const asked = await run(["db", "export", "--data", typo, "--file", join(folder, "moved.dump")]);
    expect(asked).toMatchObject({ code: 2, out: "" });
    expect(asked.err).toContain(`there is no database of Drover in ${typo}: --data names`);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["no file at all", null, "none.dump"],
    ["an empty file", "", "breaks off after line 0"],
    ["a file that is no dump", '{"some":"JSON"}\n', "no dump of Drover's"],
    [
      "half a dump",
      '{"drover":"dump","format":1,"migrations":[],"counters":{}}\n{"table":"digest","columns":[{"name":"a","type":"b"}]}\n',
      "breaks off after line 2",
    ],
  ])("import of %s fails, and makes no database", async (_, text, why) => {
    const file = join(folder, "none.dump");
    if (text !== null) await writeFile(file, text);
    const asked = await run(["db", "import", "--data", join(folder, "data"), "--file", file]);
    expect(asked).toMatchObject({ code: 2, out: "" });
    expect(asked.err).toContain(why);
    expect(await readdir(folder)).toEqual(text === null ? [] : ["none.dump"]);
  });

  it("export of an empty database says that nothing was in it", async () => {
    const data = join(folder, "data");
    await (await openDatabase({ kind: "embedded", folder: join(data, "database") }, { log: silentLog })).close();
    const file = join(folder, "moved.dump");
    const written = await run(["db", "export", "--data", data, "--file", file]);
    expect(written).toMatchObject({ code: 0, err: `warning: the database is empty: ${file} holds no rows\n` });
  });

  it("export from a PostgreSQL without tables of Drover's fails, and makes none", async (test) => {
    needPostgres(test);
    const target = await openTestDatabase();
    try {
      const file = join(folder, "moved.dump");
      const asked = await run(["db", "export", "--file", file], { DATABASE_URL: target.url });
      expect(asked).toMatchObject({ code: 2, out: "" });
      expect(asked.err).toContain("no tables of Drover's");
      expect(await run(["queue"], { DATABASE_URL: target.url })).toMatchObject({ code: 2 });
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await target.drop();
    }
  });
});

describe("drover db and drover queue", () => {
  let folder: string;
  let data: string;
  let target: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "drover-db-"));
    data = join(folder, "data");
    const database = await openDatabase({ kind: "embedded", folder: join(data, "database") }, { log: silentLog });
    await createSqlStore({ database }).saveDigests(new Map([[pull, "seen"]]));
    const queue = createSqlQueue({ database, instance, random: createSeededRandom(1) });
    await queue.put({ queue: "review", key: "k", at: null, whileRunning: "keep", priority: 2, payload: {} });
    const claimed = await queue.claim({ queues: ["review"], leaseMs: 1000 });
    if (claimed !== null) await queue.quarantine(claimed, "a bug");
    await database.close();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async (test) => {
    needPostgres(test);
    target = await openTestDatabase();
    return async () => target.drop();
  });

  it("move everything from the folder to PostgreSQL, and tell how much", async () => {
    const file = join(folder, "moved.dump");
    const written = await run(["db", "export", "--data", data, "--file", file, "--json"]);
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(written.out)).toMatchObject({ rows: { digest: 1, queue_place: 1, pull: 0 } });
    const env = { DATABASE_URL: target.url };
    const read = await run(["db", "import", "--file", file], env);
    expect(read).toMatchObject({ code: 0, err: "" });
    expect(read.out).toContain("digest: 1");
    const database = await openDatabase({ kind: "postgres", url: target.url }, { log: silentLog });
    expect(await createSqlStore({ database }).findDigests([pull])).toEqual(new Map([[pull, "seen"]]));
    await database.close();
    const again = await run(["db", "import", "--file", file], env);
    expect(again).toMatchObject({ code: 2, out: "" });
    expect(again.err).toContain("the database is not empty");
    expect((await run(["queue"], env)).out).toContain("after 1 attempts: a bug");
    const retry = ["queue", "retry", "--forge", "here", "--queue", "review", "--key", "k"];
    expect(await run(retry, env)).toMatchObject({ code: 0, out: "restored: it is due now\n" });
    expect(await run(retry, env)).toMatchObject({ code: 1, out: "no entry is quarantined under that key\n" });
    expect(JSON.parse((await run(["queue", "--json"], env)).out)).toMatchObject({
      queues: [{ instance: "here", queue: "review", waiting: 1, due: 1, running: 0, buried: 0 }],
    });
  });

  it("overwrite no file, and say what is missing", async () => {
    const file = join(folder, "mine.txt");
    await writeFile(file, "mine");
    const refused = await run(["db", "export", "--data", data, "--file", file]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain("EEXIST");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect((await run(["db", "export", "--data", data])).err).toContain(
      "required option '--file <file>' not specified",
    );
    const env = { DATABASE_URL: target.url };
    expect(await run(["db", "import", "--file", join(folder, "none")], env)).toMatchObject({ code: 2 });
    expect((await run(["queue", "retry"], env)).err).toContain("required option '--forge <name>' not specified");
    expect((await run(["db"])).err).toContain("Usage: drover db");
  });
});
