import type { Kysely } from "kysely";
import { z } from "zod";
import { compareText } from "#core/compare-text.ts";
import { HeadSha } from "#core/model/ids.ts";
import type { Tables } from "#database/tables.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { readRow, writeJson } from "#store/stored-json.ts";

export const StoredDesiredGate = z.strictObject({
  pull: z.custom<PullKey>((value) => typeof value === "string"),
  repository: z.string(),
  head: HeadSha,
  state: z.enum(["pending", "success", "failure", "neutral"]),
  words: z.string(),
});

const WishRow = z.strictObject({ pull: z.string(), wish: StoredDesiredGate });

export function desiredGateCalls(db: Kysely<Tables>): Pick<Store, "saveDesiredGate" | "findDesiredGates"> {
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
