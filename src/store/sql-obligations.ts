import type { Insertable, Kysely, Updateable } from "kysely";
import { z } from "zod";
import { RecordUpdate } from "#core/effects/record-update.ts";
import { HeadSha } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import type { ObligationTable, Tables } from "#database/tables.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type {
  NewObligation,
  Obligation,
  ObligationChange,
  ObligationKey,
  ObligationState,
  Store,
} from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { jsonOf, readRow, writeJson } from "#store/stored-json.ts";

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

const Made = z.strictObject({
  key: z.custom<ObligationKey>((value) => typeof value === "string"),
  pull: z.custom<PullKey>((value) => typeof value === "string"),
  effect: z.string(),
  kind: z.string(),
  lane: z.string(),
  head: HeadSha.nullable(),
  why: z.strictObject({ askedBy: z.string(), rule: z.string(), inputs: z.array(z.string()) }),
  createdAt: Instant,
});

const State = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready"), notBefore: Instant.nullable(), refusal: z.string().nullable() }),
  z.strictObject({ kind: z.literal("sending"), since: Instant }),
  z.strictObject({ kind: z.literal("unknown"), since: Instant, settleAt: Instant }),
  z.strictObject({ kind: z.literal("done"), result: z.string().nullable(), at: Instant, isNoted: z.boolean() }),
]);

/** As JSON it may be anything, and it is in no index. */
const Token = z.string().transform((text, context): string => {
  try {
    return z.string().parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: "expected a text as JSON" });
    return z.NEVER;
  }
});

export const ObligationRow = z.strictObject({
  key: z.string(),
  made: Made,
  note: RecordUpdate,
  state: State,
  text: z.string().nullable(),
  attempts: z.number().int().nonnegative(),
  lease_token: Token.nullable(),
  lease_until: Instant.nullable(),
});

/** The other columns repeat parts of these, for the indexes. */
const obligationColumns = [
  "key",
  "made",
  "note",
  "state",
  "text",
  "attempts",
  "lease_token",
  "lease_until",
] as const satisfies readonly (keyof z.infer<typeof ObligationRow>)[];

function obligationOf(row: { readonly key: string }): Obligation {
  const read = readRow(ObligationRow, row, { table: "obligation", key: row.key });
  const { made, note, state, text, attempts, lease_token: token, lease_until: until } = read;
  const lease = token === null || until === null ? null : { token, until };
  return { ...made, note, state, lease, text, attempts };
}

function rowOfNew({ note, ...made }: NewObligation): Insertable<ObligationTable> {
  const place = { table: "obligation", key: made.key };
  return {
    key: keyText(made.key),
    pull: keyText(made.pull),
    made: writeJson(Made, made, place),
    note: writeJson(RecordUpdate, note, place),
    ...stateColumns({ kind: "ready", notBefore: null, refusal: null }, made.key),
    text: null,
    attempts: 0,
    lease_token: null,
    lease_until: null,
  };
}

function rowOfChange(change: ObligationChange, key: ObligationKey): Updateable<ObligationTable> {
  const { state, text, note, attempts, lease } = change;
  return {
    ...(state === undefined ? {} : stateColumns(state, key)),
    ...(text === undefined ? {} : { text: jsonOf(text) }),
    ...(note === undefined ? {} : { note: writeJson(RecordUpdate, note, { table: "obligation", key }) }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(lease === undefined
      ? {}
      : { lease_token: lease === null ? null : tokenText(lease.token), lease_until: lease?.until ?? null }),
  };
}

function tokenText(token: string): string {
  return jsonOf(token);
}

/** The database needs the kind and the note: `is_open` is computed from them. */
function stateColumns(
  state: ObligationState,
  key: ObligationKey,
): Pick<Insertable<ObligationTable>, "state" | "state_kind" | "is_noted"> {
  return {
    state: writeJson(State, state, { table: "obligation", key }),
    state_kind: state.kind,
    is_noted: state.kind === "done" && state.isNoted,
  };
}
