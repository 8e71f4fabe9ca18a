import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { Instant } from "#core/model/instant.ts";
import type { Tables } from "#database/tables.ts";
import type { Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { readRow } from "#store/stored-json.ts";

const PauseRow = z.strictObject({ until: Instant });
const TurnRow = z.strictObject({ at: Instant });

export function throttleCalls(db: Kysely<Tables>): Pick<Store, "findPause" | "extendPause" | "reserveWriteSlot"> {
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
