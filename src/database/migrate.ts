import { type Kysely, sql } from "kysely";
import { firstTables } from "#database/migrations/0001-first-tables.ts";
import { queueTable } from "#database/migrations/0002-queue.ts";
import { deliveryGroup } from "#database/migrations/0003-delivery-group.ts";
import { spending } from "#database/migrations/0004-spending.ts";
import { takeovers } from "#database/migrations/0005-takeovers.ts";
import { endedPulls } from "#database/migrations/0006-ended-pulls.ts";
import { fairTurns } from "#database/migrations/0007-fair-turns.ts";
import { suggestionsRefused } from "#database/migrations/0008-suggestions-refused.ts";
import type { Tables } from "#database/tables.ts";

export interface Migration {
  /** Sorts in the order in which they were written. */
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Forward only, and only in ways that the version before can live with: during an upgrade both run side by side. What is
 * kept as JSON and gets another shape comes with a migration too, be it one without statements: see `isOutdated`.
 */
export const migrations: readonly Migration[] = [
  firstTables,
  queueTable,
  deliveryGroup,
  spending,
  takeovers,
  endedPulls,
  fairTurns,
  suggestionsRefused,
];

/** Whether a later version has been here: migrations have numbers, and one of them comes after all of ours. */
export async function isOutdated(db: Kysely<Tables>): Promise<boolean> {
  const last = migrations.at(-1)?.name ?? "";
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  return rows.some(({ name }) => name > last);
}

/** Any number that no other program on the database is likely to use for the same. */
const lockNumber = 4_170_001;

/**
 * Brings the tables up to date, all or nothing. Of several processes that start at once the first one does it and the
 * others wait. Migrations of a newer version are left alone. Answers with the names of those that were made now.
 */
export async function migrate(
  db: Kysely<Tables>,
  wanted: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(trx);
    await sql`create table if not exists migration (name text primary key, made_at timestamptz not null default now())`.execute(
      trx,
    );
    const { rows } = await sql<{ name: string }>`select name from migration`.execute(trx);
    const made = new Set(rows.map(({ name }) => name));
    const missing = wanted.filter(({ name }) => !made.has(name));
    for (const { name, statements } of missing) {
      for (const statement of statements) await sql.raw(statement).execute(trx);
      await sql`insert into migration (name) values (${name})`.execute(trx);
    }
    return missing.map(({ name }) => name);
  });
}
