import type { Kysely } from "kysely";
import type { Database } from "#database/database.ts";
import { isOutdated } from "#database/migrate.ts";
import type { Tables } from "#database/tables.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { desiredGateCalls } from "#store/sql-desired-gates.ts";
import { digestCalls } from "#store/sql-digests.ts";
import { obligationCalls } from "#store/sql-obligations.ts";
import { pullCalls } from "#store/sql-pulls.ts";
import { retentionCalls } from "#store/sql-retention.ts";
import { spendingCalls } from "#store/sql-spending.ts";
import { throttleCalls } from "#store/sql-throttle.ts";
import { jsonOf } from "#store/stored-json.ts";

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
