import type { Insertable, Updateable } from "kysely";
import { z } from "zod";
import { RecordUpdate } from "#core/effects/record-update.ts";
import { HeadSha } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import type { ObligationTable } from "#database/tables.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { NewObligation, Obligation, ObligationChange, ObligationKey, ObligationState } from "#ports/store.ts";
import { keyText } from "#store/key-text.ts";
import { jsonOf, readRow, writeJson } from "#store/stored-json.ts";

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
export const obligationColumns = [
  "key",
  "made",
  "note",
  "state",
  "text",
  "attempts",
  "lease_token",
  "lease_until",
] as const satisfies readonly (keyof z.infer<typeof ObligationRow>)[];

export function obligationOf(row: { readonly key: string }): Obligation {
  const read = readRow(ObligationRow, row, { table: "obligation", key: row.key });
  const { made, note, state, text, attempts, lease_token: token, lease_until: until } = read;
  const lease = token === null || until === null ? null : { token, until };
  return { ...made, note, state, lease, text, attempts };
}

export function rowOfNew({ note, ...made }: NewObligation): Insertable<ObligationTable> {
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

export function rowOfChange(change: ObligationChange, key: ObligationKey): Updateable<ObligationTable> {
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

export function tokenText(token: string): string {
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
