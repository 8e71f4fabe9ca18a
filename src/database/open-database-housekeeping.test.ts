import { EventEmitter, once } from "node:events";
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startHousekeeping } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";

const checkpointMs = 20;
const rounds = 10;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("housekeeping", () => {
  it("that takes longer than its round leaves rounds out, and goes on with the next", async () => {
    const asked: string[] = [];
    const gate = new EventEmitter();
    const db = databaseThat(async (statement) => {
      asked.push(statement);
      if (asked.length === 1) await once(gate, "open");
    });
    const errors: unknown[] = [];
    const housekeeping = startHousekeeping(db, { checkpointMs, onError: (error) => errors.push(error) });
    await vi.advanceTimersByTimeAsync(rounds * checkpointMs);
    expect(asked).toEqual(["checkpoint"]);
    gate.emit("open");
    await vi.advanceTimersByTimeAsync(checkpointMs);
    await housekeeping.stop();
    expect(asked).toEqual(["checkpoint", "checkpoint"]);
    expect(errors).toEqual([]);
  });
});

function databaseThat(answer: (statement: string) => Promise<void>): Kysely<Tables> {
  const acquireConnection = async (): Promise<DatabaseConnection> =>
    Object.assign(await new DummyDriver().acquireConnection(), {
      executeQuery: async <Row>({ sql }: CompiledQuery): Promise<QueryResult<Row>> => {
        await answer(sql);
        return { rows: [] };
      },
    });
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection }),
    },
  });
}
