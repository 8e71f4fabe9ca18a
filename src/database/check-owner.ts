import { type Kysely, sql } from "kysely";
import { DatabaseError } from "#database/database-error.ts";
import type { Tables } from "#database/tables.ts";

/**
 * In a database that others use too, whoever may make tables could have made ours before us, with a trigger or in the form
 * of a view, and a function with the name of one of PostgreSQL's own: all of it runs with our rights. So everything that
 * our statements could meet has to belong to us, to a role that we are a member of, or to the administrators.
 */
export async function checkOwner(db: Kysely<Tables>, tables: readonly string[]): Promise<void> {
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
