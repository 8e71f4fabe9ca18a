import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { CostOverview, CostSort, CostSums } from "#core/budget/cost-overview.ts";
import { compareText } from "#core/compare-text.ts";
import { dayMs, formatInstant, type Instant, instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import type { Tables } from "#database/tables.ts";
import { keyText } from "#store/key-text.ts";
import { readRow } from "#store/stored-json.ts";

export interface CostQuery {
  readonly by: CostSort;
  readonly since: Instant;
  readonly repository: string | null;
  readonly pull: number | null;
}

const rowsMax = 500;

const amount = z.number().int().nonnegative();
const sums = {
  calls: amount,
  tokensIn: amount,
  tokensCached: amount,
  tokensOut: amount,
  costMicroUsd: amount,
  unpricedCalls: amount,
};
const SumsRow = z.strictObject(sums);
const CostRow = z.strictObject({ name: z.union([z.string(), z.number()]), forge: z.string().nullable(), ...sums });
const EstimatedRow = z.strictObject({ estimatedMicroUsd: amount });
const UnpricedRow = z.strictObject({ model: z.string(), calls: amount });

export async function readCost(db: Kysely<Tables>, query: CostQuery): Promise<CostOverview> {
  const { by, since, repository, pull } = query;
  const wanted = sql`at >= ${since}
    and (${repository === null ? null : keyText(repository)}::text is null or repository_name = ${repository === null ? null : keyText(repository)}::text)
    and (${pull}::integer is null or pull = ${pull}::integer)`;
  const { name, forge, group } = columnsOf(by);
  // One more than is shown tells that there are more.
  const rows = await sql`select ${name} as name, ${forge} as forge, ${summed} from spend where ${wanted}
    group by ${group} order by "costMicroUsd" desc, name limit ${sql.lit(rowsMax + 1)}`.execute(db);
  const whole = await sql`select ${summed} from spend where ${wanted}`.execute(db);
  const estimated = await sql`select coalesce(sum(cost_micro_usd), 0)::bigint as "estimatedMicroUsd" from spend
    where ${wanted} and not is_priced`.execute(db);
  const unpriced = await sql`select model, count(*)::bigint as calls from spend
    where ${wanted} and ${isUnpriced} group by model order by calls desc, model limit ${sql.lit(rowsMax)}`.execute(db);
  const place = { table: "spend", key: by };
  const read = rows.rows.map((row) => readRow(CostRow, row, place));
  return {
    by,
    rows: sorted(by, read.slice(0, rowsMax).map(named)),
    isCut: read.length > rowsMax,
    sum: readRow(SumsRow, whole.rows[0], place),
    ...readRow(EstimatedRow, estimated.rows[0], place),
    unpriced: unpriced.rows.map((row) => readRow(UnpricedRow, row, place)),
  };
}

/** An unpriced call with a cost has an estimate. */
const isUnpriced = sql`not is_priced and cost_micro_usd = 0`;

const summed = sql`count(*)::bigint as calls,
  coalesce(sum(tokens_in), 0)::bigint as "tokensIn",
  coalesce(sum(tokens_cached), 0)::bigint as "tokensCached",
  coalesce(sum(tokens_out), 0)::bigint as "tokensOut",
  coalesce(sum(cost_micro_usd), 0)::bigint as "costMicroUsd",
  count(*) filter (where ${isUnpriced})::bigint as "unpricedCalls"`;

interface Columns {
  readonly name: RawBuilder<unknown>;
  readonly forge: RawBuilder<unknown>;
  readonly group: RawBuilder<unknown>;
}

/** A repository that was renamed is one, under the name that sorts last. */
function columnsOf(by: CostSort): Columns {
  const none = sql`null::text`;
  switch (by) {
    case "pull":
      return {
        name: sql`max(repository_name) || '#' || pull`,
        forge: sql`instance`,
        group: sql`instance, repository_id, pull`,
      };
    case "repository":
      return { name: sql`max(repository_name)`, forge: sql`instance`, group: sql`instance, repository_id` };
    case "role": {
      const name = sql`coalesce(role, '(' || purpose || ')')`;
      return { name, forge: none, group: name };
    }
    case "model":
      return { name: sql`model`, forge: none, group: sql`model` };
    case "day": {
      const name = sql`at / ${sql.lit(dayMs)}`;
      return { name, forge: none, group: name };
    }
    default:
      return never(by);
  }
}

type Row = CostSums & { readonly name: string; readonly forge: string | null };

function named(row: z.output<typeof CostRow>): Row {
  const { name } = row;
  return { ...row, name: typeof name === "string" ? name : formatInstant(instant(name * dayMs)).slice(0, 10) };
}

function sorted(by: CostSort, rows: readonly Row[]): Row[] {
  return by === "day" ? rows.toSorted((left, right) => compareText(left.name, right.name)) : [...rows];
}
