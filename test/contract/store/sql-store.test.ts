import {
  CompiledQuery,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
  sql,
} from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { UnreadableError } from "#core/model/stored.ts";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { type DesiredGate, type NewObligation, obligationKeyOf, type Store } from "#ports/store.ts";
import { createSqlStore } from "#store/sql-store.ts";
import { at, someRepository as repository, sha, someRecords } from "#testing/makers.ts";

const pull = pullKeyOf(InstanceId.parse("test"), { repository, number: 12 });
const key = obligationKeyOf(pull, "answer/c1");
const made: NewObligation = {
  key,
  pull,
  effect: "answer/c1",
  kind: "answer",
  lane: "conversation",
  head: null,
  why: { askedBy: "ada", rule: "questions are answered", inputs: [] },
  note: { kind: "none" },
  createdAt: at(0),
};
const content = { records: someRecords(), blocks: {}, sight: { changedAt: null, remarks: [], missingSince: null } };
const lease = { token: "t1", until: at(5) };
const wish: DesiredGate = { repository: "test/7", head: sha(1), state: "success", words: "Fine" };
const step = { job: "review", step: "ask" };
const turn = { instance: "test", now: at(0), gapMs: 1000, aheadMsMax: 60_000, noLaterThan: at(5) };

/** Every call of the port, where there is something and where there is nothing. */
const calls: readonly (readonly [name: string, call: (store: Store) => Promise<unknown>])[] = [
  ["findPull", async (store) => store.findPull(pull)],
  ["savePull, the first time", async (store) => store.savePull({ pull, content, expectedVersion: 0 })],
  ["savePull", async (store) => store.savePull({ pull, content, expectedVersion: 1 })],
  ["ensureObligation", async (store) => store.ensureObligation(made)],
  ["ensureObligation, again", async (store) => store.ensureObligation(made)],
  ["findObligation", async (store) => store.findObligation(key)],
  ["leaseObligation", async (store) => store.leaseObligation({ key, lease, now: at(0) })],
  ["changeObligation", async (store) => store.changeObligation({ key, token: "t1", change: { attempts: 1 } })],
  ["findOpenObligations", async (store) => store.findOpenObligations(pull)],
  ["listObligations", async (store) => store.listObligations(pull)],
  ["saveStep", async (store) => store.saveStep(step, "answer")],
  ["saveStep, again", async (store) => store.saveStep(step, "answer")],
  ["findStep", async (store) => store.findStep(step)],
  ["forgetSteps", async (store) => store.forgetSteps("review")],
  ["extendPause", async (store) => store.extendPause({ instance: "test", until: at(5) })],
  ["findPause", async (store) => store.findPause({ instance: "test", now: at(0) })],
  ["takeWriteTurn", async (store) => store.reserveWriteSlot(turn)],
  ["saveGateWish", async (store) => store.saveDesiredGate(pull, wish)],
  ["findGateWishes", async (store) => store.findDesiredGates(wish)],
  ["saveGateWish, taking it back", async (store) => store.saveDesiredGate(pull, null)],
  ["forgetDigests", async (store) => store.forgetDigests([pull])],
  ["saveDigests", async (store) => store.saveDigests(new Map([[pull, "digest"]]))],
  ["findDigests", async (store) => store.findDigests([pull])],
  ["listDigested", async (store) => store.listDigested(pull)],
  ["noteEnded", async (store) => store.markEnded({ pull, version: 2, at: at(0) })],
  ["forgetEnded", async (store) => store.forgetEnded({ before: at(0), countMax: 50 })],
  ["forgetSpends", async (store) => store.forgetSpends({ before: at(0), countMax: 50 })],
];

let database: Database;
beforeAll(async () => {
  database = await openTestEmbedded();
  await migrate(database.db);
});
afterAll(async () => database.close());

describe("a row that was damaged", () => {
  beforeEach(async () => {
    const store = createSqlStore({ database });
    await sql`truncate pull, obligation, gate_wish, digest, pause, write_turn`.execute(database.db);
    for (const [name, call] of calls) if (name !== "saveGateWish, taking it back") await call(store);
  });

  it.each([
    ["pull", `set content = '{"records":{},"blocks":{}}'`, "findPull", "content.sight"],
    ["pull", `set content = '{"records":{"heads":7},"blocks":{},"sight":{}}'`, "findPull", "content.records.heads"],
    ["pull", "set version = 0", "findPull", "version"],
    ["obligation", 'set state = \'{"kind":"sent"}\'', "findObligation", "state.kind"],
    ["obligation", "set note = 'null', lease_token = null, lease_until = null", "leaseObligation", "note"],
    ["obligation", "set text = '{}'", "ensureObligation", "text"],
    ["obligation", "set made = '[]'", "listObligations", "made"],
    ["obligation", "set lease_until = -1", "findOpenObligations", "lease_until"],
    ["obligation", "set lease_token = 'half a'", "findObligation", "lease_token"],
    ["gate_wish", "set wish = '{}'", "findGateWishes", "wish.state"],
    ["digest", "set digest = '7'", "findDigests", "digest"],
    ["pause", "set until = 999999999999999", "findPause", "until"],
  ])("in %s (%s) is refused by name", async (table, damage, callName, part) => {
    await sql.raw(`update ${table} ${damage}`).execute(database.db);
    const call = calls.find(([name]) => name === callName)?.[1];
    const refusal: unknown = await call?.(createSqlStore({ database })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnreadableError);
    expect(String(refusal)).toContain(`Error: the row of ${table} under "test`);
    expect(String(refusal)).toContain(`at ${part}`);
  });

  it("is not made: what would not read again is not written", async () => {
    const store = createSqlStore({ database });
    const records = someRecords({ spentMicroUsd: Number.NaN });
    const saved = store.savePull({ pull, content: { ...content, records }, expectedVersion: 2 });
    await expect(saved).rejects.toThrow("would not read again");
    expect(await store.findPull(pull)).toEqual({ ...content, version: 2 });
  });
});

describe("a pull that a version before 0006 saves after it had ended", () => {
  it("is not forgotten, though that version knows nothing of endings", async () => {
    const store = createSqlStore({ database });
    await sql`truncate pull`.execute(database.db);
    await store.savePull({ pull, content, expectedVersion: 0 });
    await store.markEnded({ pull, version: 1, at: at(0) });
    await sql`update pull set version = 2`.execute(database.db);
    expect(await store.forgetEnded({ before: at(9), countMax: 50 })).toBe(0);
    expect(await store.findPull(pull)).toMatchObject({ version: 2 });
  });
});

describe("the cost of a call", () => {
  /** Queries as they were put together; one can be a part of another. */
  const nodes = new Map<QueryId, RootOperationNode>();
  const executed: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      nodes.set(queryId, node);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      const node = nodes.get(queryId);
      if (node !== undefined) executed.push(node);
      return result;
    },
  };

  beforeAll(async () => {
    await sql`truncate pull, obligation, gate_wish, digest, pause, write_turn, step, spend`.execute(database.db);
    for (const statement of manyRows) await sql.raw(statement).execute(database.db);
    await sql`analyze`.execute(database.db);
  });

  it.each(calls)("%s is one statement that reads no table through", async (_, call) => {
    executed.length = 0;
    await call(createSqlStore({ database: { db: database.db.withPlugin(recorder) } }));
    expect(executed).toHaveLength(1);
    for (const node of executed) expect(await explain(node)).not.toContain("Seq Scan");
  });

  it("would be seen to grow if it did", async () => {
    executed.length = 0;
    await database.db.withPlugin(recorder).selectFrom("obligation").select("key").where("attempts", "=", 7).execute();
    for (const node of executed) expect(await explain(node)).toContain("Seq Scan");
    expect(executed).toHaveLength(1);
  });
});

async function explain(node: RootOperationNode): Promise<string> {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(node, { queryId: "explained" });
  const { rows } = await database.db.executeQuery(CompiledQuery.raw(`explain ${text}`, [...parameters]));
  return JSON.stringify(rows);
}

/** Thousands of pulls that are not ours. */
const manyRows: readonly string[] = [
  `insert into pull select 'many/' || n, 1, '{}' from generate_series(1, 3000) n`,
  `insert into obligation (key, pull, made, note, state, state_kind, is_noted, attempts)
    select 'many/' || n, 'many/' || n / 10, '{}', '{}', '{}', 'done', n % 100 > 0, 1 from generate_series(1, 3000) n`,
  `insert into step select 'many/' || n, 'ask', '{}' from generate_series(1, 3000) n`,
  `insert into gate_wish select 'many/' || n, 'many/' || n, 'head', '{}' from generate_series(1, 3000) n`,
  `insert into digest select 'many/' || n, '""' from generate_series(1, 3000) n`,
  `insert into pause select 'many/' || n, 0 from generate_series(1, 3000) n`,
  `insert into spend select 'many/' || n, 'many/' || n, 'many', 'many', 'acme/tools', n, null, null, 'answer', 'model', 1, 0, 1, 1,
    true, 1, 'answered', 'now', n from generate_series(1, 3000) n`,
  `insert into write_turn select 'many/' || n, 0 from generate_series(1, 3000) n`,
];
