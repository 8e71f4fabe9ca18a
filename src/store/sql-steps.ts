import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { jsonOf } from "#store/stored-json.ts";

export function stepCalls(db: Kysely<Tables>): Pick<Store, "findStep" | "saveStep" | "forgetSteps"> {
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
