import { CompiledQuery, Kysely, sql } from "kysely";
import type { Database } from "#database/database.ts";
import { startPgliteEngine } from "#database/embedded/pglite-engine.ts";
import { createSingleConnection, type SingleConnection } from "#database/embedded/single-connection.ts";
import { memoryStart, pgliteDialect } from "#database/open-embedded.ts";
import type { Tables } from "#database/tables.ts";
import { embeddedTemplate } from "./embedded-template.ts";
import { refuseInQuickTests } from "./refuse-quick.ts";

/** Engines of this process that nobody uses now. A new one takes seconds to start, an empty one is at hand at once. */
const idle: SingleConnection[] = [];

/** An empty embedded database in memory. `close` empties the engine for the next test; nothing of it outlives the process. */
export async function openTestEmbedded(): Promise<Database> {
  refuseInQuickTests();
  const room = idle.pop() ?? (await startRoom());
  const db = new Kysely<Tables>({ dialect: pgliteDialect(room) });
  const ears = new Set<() => Promise<void>>();
  let isClosed = false;
  return {
    kind: "embedded",
    db,
    listen: async (channel, onNotice) => {
      const stop = await room.listen(channel, onNotice);
      ears.add(stop);
      return {
        stop: async () => {
          if (ears.delete(stop)) await stop();
        },
      };
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const stop of ears) await stop();
      await empty(db);
      await db.destroy();
      idle.push(room);
    },
  };
}

async function startRoom(): Promise<SingleConnection> {
  const { tar } = await embeddedTemplate();
  const engine = await startPgliteEngine({ startParameters: memoryStart, template: tar });
  return createSingleConnection(engine, async () => {
    throw new Error("the engine of this test broke");
  });
}

/** Everything that somebody made is in a schema; what is left of the session goes with `discard`. */
async function empty(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ name: string }>`
      select quote_ident(nspname) as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    `.execute(connection);
    for (const { name } of rows) await connection.executeQuery(CompiledQuery.raw(`drop schema ${name} cascade`));
    await connection.executeQuery(CompiledQuery.raw("create schema public"));
    await connection.executeQuery(CompiledQuery.raw("discard all"));
  });
}
