import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import { DumpEnd } from "#database/dump-format.ts";
import { migrate } from "#database/migrate.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { readDump } from "#database/read-dump.ts";
import { writeDump } from "#database/write-dump.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { needPostgres, openTestDatabase } from "#harness/postgres.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { obligationKeyOf } from "#ports/store.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { createDeliveryInbox } from "#store/delivery-inbox.ts";
import { createSqlStore } from "#store/sql-store.ts";
import { at, someRepository as repository, sha, silentLog, someRecords } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { aSpend } from "#testing/spend-maker.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const instance = InstanceId.parse("here");
const pull = pullKeyOf(instance, { repository, number: 1 });
/** What no `jsonb` would keep. */
const odd = 'U+0000 \u0000, half a pair \ud83d, "quotes", \\ and a\nline';

/** Something in every table, by the code that fills it in earnest. */
async function fill(database: Database): Promise<void> {
  const store = createSqlStore({ database });
  const content = {
    records: someRecords({ spentMicroUsd: 5, escalations: [odd] }),
    blocks: {},
    sight: { changedAt: at(1), remarks: [], missingSince: null },
  };
  await store.savePull({ pull, content, expectedVersion: 0 });
  for (let number = 0; number < 700; number++) {
    const effect = `answer/c${number}`;
    await store.ensureObligation({
      key: obligationKeyOf(pull, effect),
      pull,
      effect,
      kind: "answer",
      lane: "talk",
      head: sha(1),
      why: { askedBy: "ada", rule: odd, inputs: [] },
      note: { kind: "none" },
      createdAt: at(number),
    });
  }
  await store.saveStep({ job: "j", step: "s" }, { answer: odd });
  await store.extendPause({ instance, until: at(9) });
  await store.reserveWriteSlot({ instance, now: at(1), gapMs: 1000, aheadMsMax: hourMs, noLaterThan: at(2) });
  await store.saveDesiredGate(pull, { repository: "here/7", head: sha(1), state: "success", words: odd });
  await store.saveDigests(new Map([[pull, odd]]));
  await store.saveSpend(aSpend({ id: odd, model: odd }));
  await store.reserve({
    work: odd,
    holder: odd,
    place: { instance, repository, pull: 1 },
    pullSpentMin: 0,
    caps: { pull: null, repositoryDay: null, day: 1_000, allowsUnpriced: false },
    offers: [{ costMicroUsd: 400, until: at(9) }],
    now: at(0),
  });
  const queue = createSqlQueue({ database, instance, random: createSeededRandom(1) });
  const entry = { queue: "tick", at: null, whileRunning: "keep", priority: 2, payload: { odd } } as const;
  for (const key of ["waits", "runs", "dead"]) await queue.put({ ...entry, key });
  for (const key of ["waits", "runs", "dead"]) {
    const claimed = await queue.claim({ queues: ["tick"], leaseMs: minuteMs });
    if (claimed === null) throw new Error("nothing is due");
    if (key === "waits") await queue.retry(claimed, at(100_000_000));
    if (key === "dead") await queue.quarantine(claimed, odd);
  }
  const delivery = { instance, repository_id: "7", repository_name: "acme/tools", pull: 1, kind: "ping" };
  await database.db
    .insertInto("delivery")
    .values({ ...delivery, delivery: null, received_at: 1 })
    .execute();
  const groups = createDeliveryInbox({ database, clock: createVirtualClock(at(0)), log: silentLog });
  await groups.accept({
    instance,
    pull: { repository, number: 1 },
    delivery: odd.replace("\0", ""),
    kind: "ping",
    receivedAt: at(0),
  });
}

async function dumpOf(database: Database): Promise<readonly string[]> {
  const lines: string[] = [];
  await writeDump(database, async (line) => void lines.push(line));
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

describe("a dump", () => {
  let embedded: Database;
  let lines: readonly string[];
  beforeAll(async () => {
    embedded = await openTestEmbedded();
    await migrate(embedded.db);
    await fill(embedded);
    lines = await dumpOf(embedded);
  });
  afterAll(async () => embedded.close());

  it("has something of every table", () => {
    const { end } = DumpEnd.parse(JSON.parse(lines.at(-1) ?? ""));
    expect(Object.entries(end).filter(([, count]) => count === 0)).toEqual([]);
    expect(lines.filter((line) => line.startsWith('{"table"')).length).toBeGreaterThanOrEqual(9);
  });

  describe("read into PostgreSQL", () => {
    let postgres: Database;
    beforeEach(async (test) => {
      needPostgres(test);
      const made = await openTestDatabase();
      postgres = openPostgres(made.url);
      await migrate(postgres.db);
      return async () => {
        await postgres.close();
        await made.drop();
      };
    });

    it("gives a database of which the same dump is made, and which goes on where the other one stopped", async () => {
      const counts = await readDump(postgres, each(lines));
      expect(counts["obligation"]).toBe(700);
      expect((await dumpOf(postgres)).toSorted()).toEqual(lines.toSorted());
      const store = createSqlStore({ database: postgres });
      expect(await store.findStep({ job: "j", step: "s" })).toEqual({ answer: odd });
      expect((await store.listObligations(pull)).map(({ effect }) => effect).slice(0, 2)).toEqual([
        "answer/c0",
        "answer/c1",
      ]);
      const queue = createSqlQueue({ database: postgres, instance, random: createSeededRandom(2) });
      expect(await queue.find({ queue: "tick", key: "runs" })).toBe("running");
      expect(await queue.listQuarantined()).toMatchObject([{ key: "dead", why: odd, payload: { odd } }]);
      await fillOneMore(postgres);
    });

    it("is refused by one that holds something already, and changes nothing", async () => {
      await createSqlStore({ database: postgres }).saveDigests(new Map([[pull, "known"]]));
      await expect(readDump(postgres, each(lines))).rejects.toThrow(
        'the database is not empty (there is something in "digest")',
      );
    });

    it.each([
      ["breaks off", (whole: readonly string[]) => whole.slice(0, -1), "the dump breaks off"],
      ["has lost a row", (whole: readonly string[]) => whole.toSpliced(-2, 1), "there are rows of the table"],
      ["is something else", () => ["{}\n"], "this is no dump of Drover's"],
      ["is empty", () => [], "the dump breaks off after line 0"],
      ["is torn in a line", (whole: readonly string[]) => whole.with(5, '["x'), "line 6 is no JSON"],
      ["goes on behind its end", (whole: readonly string[]) => [...whole, "[]\n"], "there is something behind the end"],
      [
        "comes from a newer version",
        (whole: readonly string[]) => whole.with(0, (whole[0] ?? "").replace("]", ',"9999-later"]')),
        "the dump was written by a newer version (9999-later)",
      ],
      [
        "has a column that is none",
        (whole: readonly string[]) =>
          whole.map((line) => line.replace('"name":"digest"', '"name":"x; drop table pull"')),
        "there is no column x; drop table pull",
      ],
      [
        "has a type that is none",
        (whole: readonly string[]) =>
          whole.map((line) => line.replace('"type":"json"', '"type":"text); drop table pull; --"')),
        "there is no column",
      ],
    ])("that %s is refused, and nothing of it stays", async (_, spoil, why) => {
      await expect(readDump(postgres, each(spoil(lines)))).rejects.toThrow(why);
      const { rows } = await sql`select 1 from pull union all select 1 from obligation`.execute(postgres.db);
      expect(rows).toEqual([]);
    });
  });

  it("read into another embedded database is the same again", async () => {
    const other = await openTestEmbedded();
    await migrate(other.db);
    await readDump(other, each(lines));
    expect((await dumpOf(other)).toSorted()).toEqual(lines.toSorted());
    await other.close();
  });
});

/** A number that was given out before would be given out again, and refused. */
async function fillOneMore({ db }: Database): Promise<void> {
  const delivery = { instance, repository_id: "7", repository_name: "acme/tools", pull: 2, kind: "ping" };
  const made = db.insertInto("delivery").values({ ...delivery, delivery: null, received_at: 2 });
  const { number } = await made.returning("number").executeTakeFirstOrThrow();
  expect(number).toBe(2);
}
