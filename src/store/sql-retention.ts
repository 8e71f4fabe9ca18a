import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#database/tables.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { readRow } from "#store/stored-json.ts";

const Forgotten = z.strictObject({ count: z.number().int().nonnegative() });

export function retentionCalls(db: Kysely<Tables>): Pick<Store, "markEnded" | "forgetEnded" | "forgetSpends"> {
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
