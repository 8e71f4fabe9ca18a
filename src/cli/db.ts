import { exportDatabase, importDatabase, type MovePlace, type RowCounts } from "#app/database/move-database.ts";
import { defaultData } from "#cli/data-location.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";

export interface DbCall {
  readonly data?: string | undefined;
  readonly file: string;
  readonly json?: boolean | undefined;
}

export async function dbExport(call: DbCall, terminal: Terminal): Promise<number> {
  const { file } = call;
  const counts = await told(exportDatabase(placeOf(call, terminal), file));
  say(counts, { ...call, what: `written to ${file}` }, terminal);
  if (Object.values(counts).every((count) => count === 0)) {
    terminal.err(`warning: the database is empty: ${file} holds no rows\n`);
  }
  return 0;
}

export async function dbImport(call: DbCall, terminal: Terminal): Promise<number> {
  const { file } = call;
  const counts = await told(importDatabase(placeOf(call, terminal), file));
  say(counts, { ...call, what: `read from ${file}` }, terminal);
  return 0;
}

/** `--data` names the embedded one, also where the environment names a server: moving needs both. */
function placeOf({ data }: DbCall, { env }: Terminal): MovePlace {
  const url = env["DATABASE_URL"];
  if (data === undefined && url !== undefined && url !== "") return { kind: "postgres", url };
  return { kind: "embedded", dataFolder: data ?? defaultData };
}

const toldErrors: ReadonlySet<string> = new Set(["DatabaseError", "DumpError", "StartError"]);

/** What is wrong with a database or a dump is for people to read; everything else is a bug. */
async function told(work: Promise<RowCounts>): Promise<RowCounts> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isTold = toldErrors.has(error.name) || "code" in error;
    throw isTold ? new UsageError(error.message, { cause: error }) : error;
  }
}

function say(counts: RowCounts, { what, json }: DbCall & { readonly what: string }, terminal: Terminal): void {
  if (json === true) {
    terminal.out(`${JSON.stringify({ rows: counts })}\n`);
    return;
  }
  const lines = Object.entries(counts).map(([table, count]) => `  ${table}: ${count}\n`);
  terminal.out(`${what}, rows by table:\n${lines.join("")}`);
}
