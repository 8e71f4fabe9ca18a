import type { Kysely } from "kysely";
import { z } from "zod";
import { Instant } from "#core/model/instant.ts";
import { Records } from "#core/model/records.ts";
import type { Tables } from "#database/tables.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { readRow, writeJson } from "#store/stored-json.ts";

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

export function pullCalls(db: Kysely<Tables>): Pick<Store, "findPull" | "savePull"> {
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
