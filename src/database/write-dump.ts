import { sql, type Transaction } from "kysely";
import type { Database } from "#database/database.ts";
import { type DumpTable, dumpFormat, migrationTable } from "#database/dump-format.ts";
import type { Tables } from "#database/tables.ts";

const rowsAtOnce = 500;

export async function writeDump(
  { db }: Pick<Database, "db">,
  write: (line: string) => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const line = async (value: unknown): Promise<void> => await write(`${JSON.stringify(value)}\n`);
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      const { rows: made } = await sql<{ name: string }>`select name from migration order by name`.execute(trx);
      const counters = await readCounters(trx);
      await line({ drover: "dump", format: dumpFormat, migrations: made.map(({ name }) => name), counters });
      const counts: Record<string, number> = {};
      for (const table of await describeTables(trx)) {
        await line(table);
        counts[table.table] = await writeRows(trx, table, line);
      }
      await line({ end: counts });
      return counts;
    });
}

async function readCounters(trx: Transaction<Tables>): Promise<Readonly<Record<string, number | null>>> {
  const { rows } = await sql<{ name: string; value: number | null }>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() order by sequencename`.execute(trx);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function describeTables(trx: Transaction<Tables>): Promise<readonly DumpTable[]> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    select c.table_name as "table", c.column_name as name, c.data_type as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and c.table_name <> ${migrationTable}
    order by c.table_name, c.ordinal_position`.execute(trx);
  const tables = new Map<string, DumpTable>();
  for (const { table, name, type } of rows) {
    const columns = tables.get(table)?.columns ?? [];
    tables.set(table, { table, columns: [...columns, { name, type }] });
  }
  return [...tables.values()];
}

async function writeRows(
  trx: Transaction<Tables>,
  { table, columns }: DumpTable,
  line: (value: unknown) => Promise<void>,
): Promise<number> {
  // As text in one list: no driver has to know the types, and none can change a value.
  const values = sql.join(columns.map(({ name }) => sql`${sql.id(name)}::text`));
  await sql`declare dump no scroll cursor for select array[${values}] as row from ${sql.table(table)}`.execute(trx);
  let count = 0;
  for (;;) {
    const { rows } = await sql<{ row: readonly (string | null)[] }>`fetch ${sql.lit(rowsAtOnce)} from dump`.execute(
      trx,
    );
    for (const { row } of rows) await line(row);
    count += rows.length;
    if (rows.length < rowsAtOnce) break;
  }
  await sql`close dump`.execute(trx);
  return count;
}
