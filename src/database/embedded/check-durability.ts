import { DatabaseError } from "#database/database-error.ts";
import type { PgliteEngine } from "#database/embedded/pglite-engine.ts";
import type { SyncedFiles } from "#database/embedded/synced-files.ts";

/** With any other value of these a sync proves nothing. */
const wanted = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" } as const;

/** Makes one commit that changes nothing, and checks that it has reached the disk. */
export async function checkDurability(engine: PgliteEngine, files: Pick<SyncedFiles, "walSyncs">): Promise<void> {
  for (const [name, value] of Object.entries(wanted)) {
    const found = await engine.query<{ value: string }>("select current_setting($1) as value", [name]);
    if (found.rows[0]?.value !== value) throw notDurable(`${name} is ${found.rows[0]?.value}`);
  }
  const before = files.walSyncs;
  await engine.query("select pg_logical_emit_message(true, 'drover', 'Does this reach the disk?')", []);
  if (files.walSyncs === before) throw notDurable("a commit was answered and its log had not been synced");
}

function notDurable(why: string): DatabaseError {
  return new DatabaseError(
    "not_durable",
    `The embedded database would lose data in a power cut: ${why}. This version of PGlite is not the one that Drover was made for; install Drover as released, or use PostgreSQL (DATABASE_URL).`,
  );
}
