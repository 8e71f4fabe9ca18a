import { sql, type Transaction } from "kysely";
import type { Database } from "#database/database.ts";
import { DumpEnd, DumpError, DumpHead, DumpRow, DumpTable } from "#database/dump-format.ts";
import type { Tables } from "#database/tables.ts";
import { describeTables } from "#database/write-dump.ts";

/** Each value is a parameter, of which a statement has at most 65,535. */
const rowsAtOnce = 200;

export async function readDump(
  { db }: Pick<Database, "db">,
  lines: AsyncIterable<string>,
): Promise<Readonly<Record<string, number>>> {
  return await db.transaction().execute(async (trx) => {
    const known = await describeTables(trx);
    await checkEmpty(trx, known);
    return await readLines(trx, lines, known);
  });
}

/** Needs no database: checks that it is a dump, and has its end. */
export async function checkDump(lines: AsyncIterable<string>): Promise<void> {
  let number = 0;
  let last = "";
  for await (const line of lines) {
    number++;
    last = line;
    if (number === 1) readHead(readLine(line, number));
  }
  if (number === 0 || !DumpEnd.safeParse(readLine(last, number)).success) throw brokenOff(number);
}

function brokenOff(number: number): DumpError {
  return new DumpError(`the dump breaks off after line ${number}: write it anew`);
}

async function checkEmpty(trx: Transaction<Tables>, tables: readonly DumpTable[]): Promise<void> {
  for (const { table } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx);
    if (rows.length > 0) {
      throw new DumpError(`the database is not empty (there is something in "${table}"): read the dump into a new one`);
    }
  }
}

async function readLines(
  trx: Transaction<Tables>,
  lines: AsyncIterable<string>,
  known: readonly DumpTable[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  let table: DumpTable | null = null;
  let waiting: (readonly (string | null)[])[] = [];
  let isWhole = false;
  let number = 0;
  const flush = async (): Promise<void> => {
    if (table !== null && waiting.length > 0) await insertRows(trx, table, waiting);
    waiting = [];
  };
  for await (const line of lines) {
    number++;
    if (isWhole) throw new DumpError(`line ${number}: there is something behind the end`);
    const value = readLine(line, number);
    if (number === 1) await checkHead(trx, value);
    else if (Array.isArray(value)) {
      if (table === null) throw new DumpError(`line ${number}: a row of no table`);
      waiting.push(readRow(value, table, number));
      counts[table.table] = (counts[table.table] ?? 0) + 1;
      if (waiting.length >= rowsAtOnce) await flush();
    } else {
      await flush();
      const end = DumpEnd.safeParse(value);
      if (end.success) checkCounts(end.data.end, counts);
      else table = checkTable(value, known, number);
      isWhole = end.success;
      if (table !== null) counts[table.table] ??= 0;
    }
  }
  if (!isWhole) throw brokenOff(number);
  return counts;
}

function readLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new DumpError(`line ${number} is no JSON`, { cause: error });
  }
}

async function checkHead(trx: Transaction<Tables>, value: unknown): Promise<void> {
  const head = readHead(value);
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(trx);
  const missing = head.migrations.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length > 0) {
    throw new DumpError(`the dump was written by a newer version (${missing.join(", ")}): update Drover first`);
  }
  await setCounters(trx, head.counters);
}

function readHead(value: unknown): DumpHead {
  const head = DumpHead.safeParse(value);
  if (!head.success) throw new DumpError("this is no dump of Drover's: its first line says what it is");
  return head.data;
}

function checkTable(value: unknown, known: readonly DumpTable[], number: number): DumpTable {
  const read = DumpTable.safeParse(value);
  if (!read.success) throw new DumpError(`line ${number} is neither a table nor a row`);
  const own = known.find(({ table }) => table === read.data.table);
  const strange = read.data.columns.find(
    ({ name, type }) => !own?.columns.some((column) => column.name === name && column.type === type),
  );
  if (strange !== undefined) {
    throw new DumpError(`line ${number}: there is no column ${strange.name} in the table ${read.data.table} here`);
  }
  return read.data;
}

function readRow(value: unknown, { table, columns }: DumpTable, number: number): readonly (string | null)[] {
  const row = DumpRow.safeParse(value);
  if (row.success && row.data.length === columns.length) return row.data;
  throw new DumpError(`line ${number} is no row of the table ${table}`);
}

function checkCounts(said: Readonly<Record<string, number>>, counted: Readonly<Record<string, number>>): void {
  for (const [table, count] of Object.entries(said)) {
    if ((counted[table] ?? 0) !== count) throw new DumpError(`there are rows of the table ${table} missing`);
  }
}

async function insertRows(
  trx: Transaction<Tables>,
  { table, columns }: DumpTable,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.id(name)));
  const values = rows.map((row) => {
    // Safe as raw SQL: `checkTable` has checked that it is a type of our own columns.
    const casts = columns.map(({ type }, index) => sql`${row[index]}::text::${sql.raw(type)}`);
    return sql`(${sql.join(casts)})`;
  });
  await sql`insert into ${sql.table(table)} (${names}) overriding system value values ${sql.join(values)}`.execute(trx);
}

/** New numbers have to come after the imported ones. */
async function setCounters(trx: Transaction<Tables>, counters: Readonly<Record<string, number | null>>): Promise<void> {
  for (const [name, value] of Object.entries(counters)) {
    if (value !== null) await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint)`.execute(trx);
  }
}
