import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Engine } from "#database/embedded/engine.ts";
import type { EngineRoom } from "#database/embedded/engine-room.ts";

/** Kysely on PGlite. There is one connection: whoever has it holds up the others until it is given back. */
export function pgliteDialect(room: EngineRoom): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(room),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(room: EngineRoom): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => createConnection(await room.enter()),
    beginTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("begin"))),
    commitTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("commit"))),
    rollbackTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("rollback"))),
    releaseConnection: async () => room.leave(),
    destroy: async () => undefined,
  };
}

function createConnection(engine: Engine): DatabaseConnection {
  return {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const { rows, affectedRows } = await engine.query<Row>(sql, parameters);
      return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) };
    },
    streamQuery: () => {
      throw new Error("PGlite has no cursors: read in pages");
    },
  };
}
