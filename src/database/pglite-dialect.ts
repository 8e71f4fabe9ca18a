import type { PGlite } from "@electric-sql/pglite";
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

/** Kysely on PGlite. There is one connection: whoever has it holds up the others until it is given back. */
export function pgliteDialect(pglite: PGlite): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pglite),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(pglite: PGlite): Driver {
  const connection = createConnection(pglite);
  const turns: (() => void)[] = [];
  let isTaken = false;
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      if (isTaken) await new Promise<void>((resolve) => turns.push(resolve));
      isTaken = true;
      return connection;
    },
    beginTransaction: async () => void (await connection.executeQuery(CompiledQuery.raw("begin"))),
    commitTransaction: async () => void (await connection.executeQuery(CompiledQuery.raw("commit"))),
    rollbackTransaction: async () => void (await connection.executeQuery(CompiledQuery.raw("rollback"))),
    releaseConnection: async () => {
      const next = turns.shift();
      if (next === undefined) isTaken = false;
      else next();
    },
    destroy: async () => undefined,
  };
}

function createConnection(pglite: PGlite): DatabaseConnection {
  return {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const { rows, affectedRows } = await pglite.query<Row>(sql, [...parameters]);
      return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) };
    },
    streamQuery: () => {
      throw new Error("PGlite has no cursors: read in pages");
    },
  };
}
