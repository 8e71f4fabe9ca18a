import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import { atLeast, chooseOffer, dayOf, type OfferRequest, sweptBefore } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import type { SpendTable, Tables } from "#database/tables.ts";
import type { ReserveRequest, Spending } from "#ports/spending.ts";
import { keyText } from "#store/key-text.ts";
import { readRow } from "#store/stored-json.ts";

/** A number that no other program on the database is likely to lock. */
const lockNumber = 4_170_004;

export function spendingCalls(db: Kysely<Tables>): Omit<Spending, "forgetSpends"> {
  return {
    saveSpend: async (spend) => await saveSpend(db, spend),

    reserve: async (request) =>
      await db.transaction().execute(async (trx) => {
        // All reservations wait here, so that what is read below holds until the commit.
        await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(trx);
        const { work, holder, place, caps, offers, now } = request;
        await trx
          .deleteFrom("reservation")
          .where((where) => where.or([where("work", "=", keyText(work)), where("until", "<=", sweptBefore(now))]))
          .execute();
        const costs = offers.map(({ costMicroUsd }) => costMicroUsd);
        const choice = chooseOffer({ caps, costs, now, standing: await readStanding(trx, request) });
        if (choice.kind !== "taken") return choice;
        await trx
          .insertInto("reservation")
          .values({
            work: keyText(work),
            holder: keyText(holder),
            ...placeColumns(place),
            left_micro_usd: choice.costMicroUsd,
            until: offers[choice.index]?.until ?? now,
          })
          .execute();
        return choice;
      }),

    endReservation: async ({ work, holder }) => {
      const ended = db.deleteFrom("reservation").where("work", "=", keyText(work));
      await (holder === null ? ended : ended.where("holder", "=", keyText(holder))).execute();
    },

    findSpent: async (work) => {
      const row = await db
        .selectFrom("spend")
        .select(sql<number>`coalesce(sum(cost_micro_usd), 0)::bigint`.as("spent"))
        .where("work", "=", keyText(work))
        .executeTakeFirstOrThrow();
      return readRow(SpentRow, row, { table: "spend", key: work }).spent;
    },
  };
}

const amount = z.number().int().nonnegative();
const SpentRow = z.strictObject({ spent: amount });

/** One statement, so that the call is saved and the reservation reduced, or neither. */
async function saveSpend(db: Kysely<Tables>, spend: Spend): Promise<void> {
  await db
    .with("made", (made) =>
      made
        .insertInto("spend")
        .values(spendRow(spend))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning(["work", "cost_micro_usd"]),
    )
    .updateTable("reservation")
    .from("made")
    .set({ left_micro_usd: sql`greatest(0, reservation.left_micro_usd - made.cost_micro_usd)` })
    .whereRef("reservation.work", "=", "made.work")
    .execute();
}

function spendRow(spend: Spend): SpendTable {
  return {
    id: keyText(spend.id),
    work: keyText(spend.work),
    ...placeColumns(spend),
    repository_name: keyText(spend.repository.name),
    head: spend.head,
    role: spend.role === null ? null : keyText(spend.role),
    purpose: keyText(spend.purpose),
    model: keyText(spend.model),
    tokens_in: spend.tokensIn,
    tokens_cached: spend.tokensCached,
    tokens_out: spend.tokensOut,
    cost_micro_usd: spend.costMicroUsd,
    is_priced: spend.isPriced,
    ms: spend.ms,
    outcome: keyText(spend.outcome),
    delivery: spend.delivery,
    at: spend.at,
  };
}

function placeColumns({ instance, repository, pull }: ReserveRequest["place"]) {
  return { instance: keyText(instance), repository_id: keyText(repository.id), pull };
}

const StandingRow = z.strictObject({
  pull_spent: amount,
  repository_spent: amount,
  day_spent: amount,
  pull_held: amount,
  repository_held: amount,
  day_held: amount,
});

/** One statement: a call saved meanwhile is seen as spent or as reserved, never as neither. */
async function readStanding(
  trx: Transaction<Tables>,
  { place, pullSpentMin, now }: ReserveRequest,
): Promise<OfferRequest["standing"]> {
  const { from } = dayOf(now);
  const { instance, repository_id, pull } = placeColumns(place);
  const ofRepository = sql`instance = ${instance} and repository_id = ${repository_id}`;
  const ofPull = sql`${ofRepository} and pull = ${pull}`;
  const { rows } = await sql`select
    ${spent(ofPull)} as pull_spent,
    ${spent(sql`at >= ${from} and ${ofRepository}`)} as repository_spent,
    ${spent(sql`at >= ${from}`)} as day_spent,
    ${held(sql`until > ${now} and ${ofPull}`)} as pull_held,
    ${held(sql`until > ${now} and ${ofRepository}`)} as repository_held,
    ${held(sql`until > ${now}`)} as day_held`.execute(trx);
  const row = readRow(StandingRow, rows[0], { table: "spend", key: repository_id });
  return {
    pull: atLeast({ spentMicroUsd: row.pull_spent, reservedMicroUsd: row.pull_held }, pullSpentMin),
    repositoryDay: { spentMicroUsd: row.repository_spent, reservedMicroUsd: row.repository_held },
    day: { spentMicroUsd: row.day_spent, reservedMicroUsd: row.day_held },
  };
}

type Condition = ReturnType<typeof sql>;

function spent(which: Condition): Condition {
  return sql`(select coalesce(sum(cost_micro_usd), 0)::bigint from spend where ${which})`;
}

function held(which: Condition): Condition {
  return sql`(select coalesce(sum(left_micro_usd), 0)::bigint from reservation where ${which})`;
}
