import type { ColumnType, Generated } from "kysely";

/** The tables as queries see them. Times are milliseconds since 1970; both drivers read int8 as a number. */
export interface Tables {
  readonly pull: PullTable;
  readonly obligation: ObligationTable;
  readonly step: StepTable;
  readonly pause: PauseTable;
  readonly write_turn: WriteTurnTable;
  readonly gate_wish: GateWishTable;
  readonly digest: DigestTable;
  readonly delivery: DeliveryTable;
}

/**
 * Written as text and read as the value: `json` and not `jsonb`, which refuses U+0000 and forgets the order of keys. Text
 * of others can hold anything, so all of it is kept in such columns.
 */
export type Json = ColumnType<unknown, string, string>;

export interface PullTable {
  readonly key: string;
  readonly version: number;
  readonly content: Json;
}

export interface ObligationTable {
  readonly key: string;
  /** The order in which they were made. */
  readonly number: Generated<number>;
  readonly pull: string;
  /** Everything that never changes after it was made. */
  readonly made: Json;
  readonly note: Json;
  readonly state: Json;
  readonly text: Json | null;
  readonly attempts: number;
  readonly is_open: boolean;
  readonly lease_token: string | null;
  readonly lease_until: number | null;
}

export interface StepTable {
  readonly job: string;
  readonly step: string;
  readonly result: Json;
}

export interface PauseTable {
  readonly instance: string;
  readonly until: number;
}

export interface WriteTurnTable {
  readonly instance: string;
  readonly at: number;
}

export interface GateWishTable {
  readonly pull: string;
  readonly repository: string;
  readonly head: string;
  readonly state: string;
  readonly words: Json;
}

export interface DigestTable {
  readonly pull: string;
  readonly digest: string;
}

/** What webhooks said and nobody has turned into a poke yet: where to look, and nothing else. */
export interface DeliveryTable {
  readonly number: Generated<number>;
  readonly instance: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly pull: number;
  /** The forge's own id of it. */
  readonly delivery: string | null;
  readonly kind: string;
  readonly received_at: number;
}
