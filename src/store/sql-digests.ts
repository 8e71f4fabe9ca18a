import type { Kysely } from "kysely";
import { z } from "zod";
import { compareText } from "#core/compare-text.ts";
import type { Tables } from "#database/tables.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { jsonOf, readRow } from "#store/stored-json.ts";

const DigestRow = z.object({ digest: z.string() });

export function digestCalls(
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
