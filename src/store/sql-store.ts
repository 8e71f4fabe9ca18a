import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { compareText } from "#core/compare-text.ts";
import { HeadSha } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { Records } from "#core/model/records.ts";
import type { Database } from "#database/database.ts";
import { isOutdated } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { obligationCalls } from "#store/sql-obligations.ts";
import { spendingCalls } from "#store/sql-spending.ts";
import { jsonOf, readRow, writeJson } from "#store/stored-json.ts";

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

export const StoredPullContent = z.strictObject({
  records: Records,
  blocks: z.record(z.string(), z.strictObject({ revision: z.number(), digest: z.string() })),
  sight: z.strictObject({
    changedAt: Instant.nullable(),
    remarks: z.array(z.string()),
    missingSince: Instant.nullable(),
  }),
});

const PullRow = z.strictObject({ version: z.number().int().positive(), content: StoredPullContent });

function pullCalls(db: Kysely<Tables>): Pick<Store, "findPull" | "savePull"> {
  return {
    findPull: async (pull) => {
      const row = await db
        .selectFrom("pull")
        .select(["version", "content"])
        .where("key", "=", keyText(pull))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { version, content } = readRow(PullRow, row, { table: "pull", key: pull });
      return { ...content, version };
    },

    savePull: async ({ pull, content: { records, blocks, sight }, expectedVersion }) => {
      const content = writeJson(StoredPullContent, { records, blocks, sight }, { table: "pull", key: pull });
      const key = keyText(pull);
      const version = expectedVersion + 1;
      const saved =
        expectedVersion === 0
          ? await db
              .insertInto("pull")
              .values({ key, version, content, ended_at: null, ended_version: null })
              .onConflict((conflict) => conflict.column("key").doNothing())
              .returning("version")
              .executeTakeFirst()
          : await db
              .updateTable("pull")
              .set({ version, content, ended_at: null, ended_version: null })
              .where("key", "=", key)
              .where("version", "=", expectedVersion)
              .returning("version")
              .executeTakeFirst();
      return saved === undefined ? "stale" : "saved";
    },
  };
}

const DigestRow = z.object({ digest: z.string() });

function digestCalls(
  db: Kysely<Tables>,
): Pick<Store, "findDigests" | "saveDigests" | "listDigested" | "forgetDigests"> {
  return {
    findDigests: async (pulls) => {
      const found = new Map<PullKey, string>();
      if (pulls.length === 0) return found;
      const keys = new Map(pulls.map((pull) => [keyText(pull), pull]));
      const rows = await db
        .selectFrom("digest")
        .selectAll()
        .where("pull", "in", [...keys.keys()])
        .execute();
      for (const row of rows) {
        const pull = keys.get(row.pull);
        if (pull !== undefined) found.set(pull, readRow(DigestRow, row, { table: "digest", key: pull }).digest);
      }
      return found;
    },

    saveDigests: async (digests) => {
      if (digests.size === 0) return;
      const rows = [...digests].map(([pull, digest]) => ({ pull: keyText(pull), digest: jsonOf(digest) }));
      await db
        .insertInto("digest")
        // Sorted: two that save the same pulls in different orders would block each other.
        .values(rows.toSorted((left, right) => compareText(left.pull, right.pull)))
        .onConflict((conflict) =>
          conflict.column("pull").doUpdateSet((row) => ({ digest: row.ref("excluded.digest") })),
        )
        .execute();
    },

    listDigested: async (keysStart) => {
      const start = keyText(keysStart);
      const rows = await db
        .selectFrom("digest")
        .select("pull")
        .where("pull", ">=", start)
        // The colon comes after all digits, so the index gives exactly these rows.
        .where("pull", "<", `${start}:`)
        .execute();
      return rows.map(({ pull }) => Number(pull.slice(start.length)));
    },

    forgetDigests: async (pulls) => {
      if (pulls.length === 0) return;
      await db.deleteFrom("digest").where("pull", "in", pulls.map(keyText)).execute();
    },
  };
}

export const StoredDesiredGate = z.strictObject({
  pull: z.custom<PullKey>((value) => typeof value === "string"),
  repository: z.string(),
  head: HeadSha,
  state: z.enum(["pending", "success", "failure", "neutral"]),
  words: z.string(),
});

const WishRow = z.strictObject({ pull: z.string(), wish: StoredDesiredGate });

function desiredGateCalls(db: Kysely<Tables>): Pick<Store, "saveDesiredGate" | "findDesiredGates"> {
  return {
    saveDesiredGate: async (pull, wish) => {
      const key = keyText(pull);
      if (wish === null) {
        await db.deleteFrom("gate_wish").where("pull", "=", key).execute();
        return;
      }
      const { repository, head } = wish;
      const row = {
        repository: keyText(repository),
        head: keyText(head),
        wish: writeJson(StoredDesiredGate, { ...wish, pull }, { table: "gate_wish", key: pull }),
      };
      await db
        .insertInto("gate_wish")
        .values({ pull: key, ...row })
        .onConflict((conflict) => conflict.column("pull").doUpdateSet(row))
        .execute();
    },

    findDesiredGates: async ({ repository, head }) => {
      const rows = await db
        .selectFrom("gate_wish")
        .select(["pull", "wish"])
        .where("repository", "=", keyText(repository))
        .where("head", "=", keyText(head))
        .execute();
      return (
        rows
          .map((row) => readRow(WishRow, row, { table: "gate_wish", key: row.pull }).wish)
          // Sorted here: databases differ in how they sort text.
          .sort((left, right) => compareText(left.pull, right.pull))
      );
    },
  };
}
