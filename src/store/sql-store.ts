import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { Instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import { isOutdated } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { desiredGateCalls } from "#store/sql-desired-gates.ts";
import { digestCalls } from "#store/sql-digests.ts";
import { obligationCalls } from "#store/sql-obligations.ts";
import { pullCalls } from "#store/sql-pulls.ts";
import { spendingCalls } from "#store/sql-spending.ts";
import { jsonOf, readRow } from "#store/stored-json.ts";

/** One statement per call but for reservations, atomic at "read committed", the default of both engines. */
export function createSqlStore({ database: { db } }: { readonly database: Pick<Database, "db"> }): Store {
  return {
    ...pullCalls(db),
    ...obligationCalls(db),
    ...stepCalls(db),
    ...throttleCalls(db),
    ...desiredGateCalls(db),
    ...digestCalls(db),
    ...spendingCalls(db),
    ...retentionCalls(db),
    isOutdated: () => isOutdated(db),
  };
}

function stepCalls(db: Kysely<Tables>): Pick<Store, "findStep" | "saveStep" | "forgetSteps"> {
  return {
    findStep: async ({ job, step }) => {
      const row = await db
        .selectFrom("step")
        .select("result")
        .where("job", "=", keyText(job))
        .where("step", "=", keyText(step))
        .executeTakeFirst();
      return row?.result;
    },

    saveStep: async ({ job, step }, result) => {
      const { result: kept } = await db
        .insertInto("step")
        .values({ job: keyText(job), step: keyText(step), result: jsonOf(result) })
        // A change that changes nothing: doing nothing would not answer with the existing row.
        .onConflict((conflict) =>
          conflict.columns(["job", "step"]).doUpdateSet((row) => ({ step: row.ref("excluded.step") })),
        )
        .returning("result")
        .executeTakeFirstOrThrow();
      return kept;
    },

    forgetSteps: async (job) => {
      await db.deleteFrom("step").where("job", "=", keyText(job)).execute();
    },
  };
}

const PauseRow = z.strictObject({ until: Instant });
const TurnRow = z.strictObject({ at: Instant });

function throttleCalls(db: Kysely<Tables>): Pick<Store, "findPause" | "extendPause" | "reserveWriteSlot"> {
  return {
    findPause: async ({ instance, now }) => {
      const row = await db
        .selectFrom("pause")
        .select("until")
        .where("instance", "=", keyText(instance))
        .where("until", ">", now)
        .executeTakeFirst();
      return row === undefined ? undefined : readRow(PauseRow, row, { table: "pause", key: instance }).until;
    },

    extendPause: async ({ instance, until }) => {
      await db
        .insertInto("pause")
        .values({ instance: keyText(instance), until })
        .onConflict((conflict) =>
          conflict.column("instance").doUpdateSet({ until }).whereRef("pause.until", "<", "excluded.until"),
        )
        .execute();
    },

    reserveWriteSlot: async ({ instance, now, gapMs, noLaterThan, aheadMsMax }) => {
      if (now > noLaterThan) return null;
      // The row is locked before it is read, so that simultaneous callers are served one after another.
      const turn = sql<number>`case when write_turn.at > excluded.at + ${aheadMsMax} then excluded.at + ${gapMs}
        else greatest(excluded.at, write_turn.at + ${gapMs}) end`;
      const row = await db
        .insertInto("write_turn")
        .values({ instance: keyText(instance), at: now })
        .onConflict((conflict) => conflict.column("instance").doUpdateSet({ at: turn }).where(turn, "<=", noLaterThan))
        .returning("at")
        .executeTakeFirst();
      return row === undefined ? null : readRow(TurnRow, row, { table: "write_turn", key: instance }).at;
    },
  };
}

const Forgotten = z.strictObject({ count: z.number().int().nonnegative() });

function retentionCalls(db: Kysely<Tables>): Pick<Store, "markEnded" | "forgetEnded" | "forgetSpends"> {
  return {
    markEnded: async ({ pull, version, at }) => {
      await db
        .updateTable("pull")
        .set({ ended_at: at, ended_version: version })
        .where("key", "=", keyText(pull))
        .where("version", "=", version)
        .where("ended_version", "is distinct from", version)
        .execute();
    },

    // A pull that is being saved has not ended. Keys of its jobs begin with its key and `/`, and `0` follows `/`.
    forgetEnded: async ({ before, countMax }) => {
      const { rows } = await sql`
        with ended as (
          select key from pull where ended_at < ${before} and ended_version = version
          order by ended_at limit ${countMax} for update skip locked
        ), gone as (
          delete from pull using ended where pull.key = ended.key returning pull.key
        ), obligations as (
          delete from obligation using gone where obligation.pull = gone.key
        ), wishes as (
          delete from gate_wish using gone where gate_wish.pull = gone.key
        ), digests as (
          delete from digest using gone where digest.pull = gone.key
        ), steps as (
          delete from step using gone where step.job >= gone.key || '/' and step.job < gone.key || '0'
        )
        select count(*) as count from gone`.execute(db);
      return readRow(Forgotten, rows[0], { table: "pull", key: "ended" }).count;
    },

    // By `ctid`: a join would read the whole table. Calls are never changed, so none moves.
    forgetSpends: async ({ before, countMax }) => {
      const { rows } = await sql`
        with gone as (
          delete from spend where ctid = any(array(
            select ctid from spend where at < ${before} order by at limit ${countMax}
          )) returning id
        )
        select count(*) as count from gone`.execute(db);
      return readRow(Forgotten, rows[0], { table: "spend", key: "old" }).count;
    },
  };
}
