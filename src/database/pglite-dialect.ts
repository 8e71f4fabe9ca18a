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
import type { PgliteEngine } from "#database/embedded/pglite-engine.ts";
import type { SingleConnection } from "#database/embedded/single-connection.ts";

/** Kysely on PGlite. There is one connection: whoever has it holds up the others until it is given back. */
export function pgliteDialect(room: SingleConnection): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(room),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(room: SingleConnection): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => createConnection(await room.acquire()),
    beginTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("begin"))),
    commitTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("commit"))),
    rollbackTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("rollback"))),
    releaseConnection: async () => room.release(),
    destroy: async () => undefined,
  };
}

function createConnection(engine: PgliteEngine): DatabaseConnection {
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
