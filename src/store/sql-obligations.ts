import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Obligation, ObligationKey, Store } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { obligationColumns, obligationOf, rowOfChange, rowOfNew, tokenText } from "#store/obligation-row.ts";

type ObligationCall =
  | "ensureObligation"
  | "findObligation"
  | "leaseObligation"
  | "changeObligation"
  | "findOpenObligations"
  | "listObligations";

export function obligationCalls(db: Kysely<Tables>): Pick<Store, ObligationCall> {
  const rowUnder = (key: ObligationKey) =>
    db.selectFrom("obligation").select(obligationColumns).where("key", "=", keyText(key));
  const rowsOf = (pull: string) =>
    db.selectFrom("obligation").select(obligationColumns).where("pull", "=", keyText(pull)).orderBy("number");

  async function find(key: ObligationKey): Promise<Obligation | undefined> {
    const row = await rowUnder(key).executeTakeFirst();
    return row === undefined ? undefined : obligationOf(row);
  }

  return {
    ensureObligation: async (made) => {
      const row = await db
        .with("new", (query) =>
          query
            .insertInto("obligation")
            .values(rowOfNew(made))
            .onConflict((conflict) => conflict.column("key").doNothing())
            .returning(obligationColumns),
        )
        .selectFrom("new")
        .select(obligationColumns)
        .unionAll(rowUnder(made.key))
        .executeTakeFirst();
      if (row !== undefined) return obligationOf(row);
      // Made by another statement meanwhile: ours could neither insert nor see it.
      const theirs = await find(made.key);
      if (theirs === undefined) throw new Error(`obligation ${made.key} was removed while it was being made`);
      return theirs;
    },

    findObligation: find,

    leaseObligation: async ({ key, lease, now }) => {
      const row = await db
        .updateTable("obligation")
        .set(rowOfChange({ lease }, key))
        .where("key", "=", keyText(key))
        .where((held) => held.or([held("lease_until", "is", null), held("lease_until", "<=", now)]))
        .returning(obligationColumns)
        .executeTakeFirst();
      return row === undefined ? null : obligationOf(row);
    },

    changeObligation: async ({ key, token, change }) => {
      const held = tokenText(token);
      const row = await db
        .updateTable("obligation")
        // The token first, since a change may name nothing and a statement must.
        .set({ lease_token: held, ...rowOfChange(change, key) })
        .where("key", "=", keyText(key))
        .where("lease_token", "=", held)
        .returning("key")
        .executeTakeFirst();
      return row === undefined ? "lost" : "changed";
    },

    findOpenObligations: async (pull) => {
      const rows = await rowsOf(pull).where("is_open", "=", true).execute();
      return rows.map(obligationOf);
    },

    listObligations: async (pull) => {
      const rows = await rowsOf(pull).execute();
      return rows.map(obligationOf);
    },
  };
}
