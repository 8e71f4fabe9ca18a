import { type Kysely, sql } from "kysely";
import { DatabaseError } from "#database/database-error.ts";
import { firstTables } from "#database/migrations/0001-first-tables.ts";
import { queueTable } from "#database/migrations/0002-queue.ts";
import { deliveryGroup } from "#database/migrations/0003-delivery-group.ts";
import { spending } from "#database/migrations/0004-spending.ts";
import { takeovers } from "#database/migrations/0005-takeovers.ts";
import { endedPulls } from "#database/migrations/0006-ended-pulls.ts";
import { fairTurns } from "#database/migrations/0007-fair-turns.ts";
import { suggestionsRefused } from "#database/migrations/0008-suggestions-refused.ts";
import { notedTimes } from "#database/migrations/0009-noted-times.ts";
import { sessionEnds } from "#database/migrations/0010-session-ends.ts";
import { unansweredQuestions } from "#database/migrations/0011-unanswered-questions.ts";
import { kindsAndTerms } from "#database/migrations/0012-kinds-and-terms.ts";
import { type Tables } from "#database/tables.ts";

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Forward only, and readable for the version before, which may still run. New JSON shapes too: see `isOutdated`. */
export const migrations: readonly Migration[] = [
  firstTables,
  queueTable,
  deliveryGroup,
  spending,
  takeovers,
  endedPulls,
  fairTurns,
  suggestionsRefused,
  notedTimes,
  sessionEnds,
  unansweredQuestions,
  kindsAndTerms,
];

/** Migrations have numbers: a later version has one after all of ours. */
export async function isOutdated(db: Kysely<Tables>): Promise<boolean> {
  const last = migrations.at(-1)?.name ?? "";
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  return rows.some(({ name }) => name > last);
}

/** A number that no other program on the database is likely to lock. */
const lockNumber = 4_170_001;

/** All or nothing. Of several processes one migrates and the others wait. Answers the names of the new migrations. */
export async function migrate(
  db: Kysely<Tables>,
  wanted: readonly Migration[] = migrations,
  waiting: MigrationWait = {},
): Promise<readonly string[]> {
  const { pollMs = lockPollMs, msMax = lockMsMax, onWait } = waiting;
  const since = performance.now();
  let told = 0;
  for (;;) {
    const made = await tryMigrate(db, wanted);
    if (made !== undefined) return made;
    const waitedMs = performance.now() - since;
    const isOver = waitedMs >= msMax;
    if (isOver || told === 0 || waitedMs >= told * tellMs) {
      told++;
      const holder = await findHolder(db);
      if (isOver) throw heldTooLong(holder, waitedMs);
      onWait?.(holder);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

export interface MigrationWait {
  readonly pollMs?: number;
  readonly msMax?: number;
  /** Called while another process has the lock: at once, and again from time to time. */
  readonly onWait?: (holder: string) => void;
}

const lockPollMs = 200;
/** The longest migration of a large database takes less. */
const lockMsMax = 300_000;
const tellMs = 15_000;

/** PostgreSQL may hide details from other users. */
async function findHolder(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<Holder>`
    select l.pid, a.application_name as program, a.usename::text as role, pg_catalog.host(a.client_addr) as address,
      a.state, a.xact_start::text as since
    from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${sql.lit(lockNumber)} and l.objsubid = 1
      and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
  `.execute(db);
  const [holder] = rows;
  if (holder === undefined) return "a connection that has just ended";
  const { pid, program, role, address, state, since } = holder;
  const facts = [
    program === null || program === "" ? undefined : `program ${program}`,
    role === null ? undefined : `role ${role}`,
    address === null ? undefined : `from ${address}`,
    state ?? undefined,
    since === null ? undefined : `since ${since}`,
  ];
  return `connection ${pid} (${facts.filter((fact) => fact !== undefined).join(", ")})`;
}

interface Holder {
  readonly pid: number;
  readonly program: string | null;
  readonly role: string | null;
  readonly address: string | null;
  readonly state: string | null;
  readonly since: string | null;
}

function heldTooLong(holder: string, waitedMs: number): DatabaseError {
  const pid = /^connection (\d+)/.exec(holder)?.[1] ?? "PID";
  return new DatabaseError(
    "locked",
    `The lock for bringing Drover's tables up to date is held by ${holder}, and was not given back within ` +
      `${Math.round(waitedMs / 1000)} s. If that is another Drover that is starting, wait for it and start again. ` +
      `If it hangs, end it on the server: select pg_terminate_backend(${pid}).`,
  );
}

async function tryMigrate(db: Kysely<Tables>, wanted: readonly Migration[]): Promise<readonly string[] | undefined> {
  return await db.transaction().execute(async (trx) => {
    const lock = await sql<{ taken: boolean }>`
      select pg_catalog.pg_try_advisory_xact_lock(${sql.lit(lockNumber)}) as taken
    `.execute(trx);
    if (lock.rows[0]?.taken !== true) return undefined;
    await sql`create table if not exists migration (name text primary key, made_at timestamptz not null default now())`.execute(
      trx,
    );
    // Before anything is read: to read from a view is to run it.
    await checkOwner(trx, ["migration", ...wanted.flatMap(tablesOf)]);
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

function tablesOf({ statements }: Migration): readonly string[] {
  return statements.flatMap((statement) => /^\s*create table (?:if not exists )?"?(\w+)/i.exec(statement)?.[1] ?? []);
}

/** Another role could have made our tables as views or with triggers, or shadow a function: all run with our rights. */
async function checkOwner(db: Kysely<Tables>, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<Foreign>`
    with us as (
      select oid, rolsuper, (select oid from pg_catalog.pg_namespace where nspname = current_schema()) as schema
      from pg_catalog.pg_roles where rolname = current_user
    ), found as (
      select 'schema' as kind, nspname::text as name, nspowner as owner
      from pg_catalog.pg_namespace, us where pg_namespace.oid = us.schema
      union all
      select 'table', relname::text, relowner
      from pg_catalog.pg_class, us where relnamespace = us.schema and relname = any(${[...tables]}::text[])
      union all
      select 'function', proname::text, proowner
      from pg_catalog.pg_proc, us where pronamespace = us.schema and exists (
        select from pg_catalog.pg_proc as own
        where own.pronamespace = 'pg_catalog'::pg_catalog.regnamespace and own.proname = pg_proc.proname
      )
      union all
      select 'operator', oprname::text, oprowner from pg_catalog.pg_operator, us where oprnamespace = us.schema
    )
    select found.kind, found.name, owner.rolname::text as owner, current_user::text as us, current_schema()::text as schema
    from found, us, pg_catalog.pg_roles as owner
    where owner.oid = found.owner and owner.oid <> us.oid and not owner.rolsuper
      -- The owner of a database may do in it what he likes. A superuser counts as a member of every role.
      and owner.rolname <> 'pg_database_owner'
      and owner.oid <> (select datdba from pg_catalog.pg_database where datname = current_database())
      and (us.rolsuper or not pg_catalog.pg_has_role(us.oid, owner.oid, 'usage'))
    order by found.kind, found.name
    limit 5
  `.execute(db);
  const [first] = rows;
  if (first === undefined) return;
  const list = rows.map(({ kind, name, owner }) => `the ${kind} ${name} belongs to ${owner}`).join(", ");
  throw new DatabaseError(
    "foreign",
    `In the schema ${first.schema} ${list}, and Drover is ${first.us}: whoever made that could have it run anything. ` +
      `Give Drover a schema of its own (create schema drover authorization ${first.us}; alter role ${first.us} set search_path = drover), ` +
      "or let it own what is named here if it is Drover's.",
  );
}

interface Foreign {
  readonly kind: string;
  readonly name: string;
  readonly owner: string;
  readonly us: string;
  readonly schema: string;
}
