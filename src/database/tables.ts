import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** Times are milliseconds since 1970. Key columns of the store are written by `store/key-text.ts`. */
export interface Tables {
  readonly pull: PullTable;
  readonly obligation: ObligationTable;
  readonly step: StepTable;
  readonly pause: PauseTable;
  readonly write_turn: WriteTurnTable;
  readonly gate_wish: GateWishTable;
  readonly digest: DigestTable;
  readonly delivery: DeliveryTable;
  readonly delivery_group: DeliveryGroupTable;
  readonly queue_place: QueuePlaceTable;
  readonly spend: SpendTable;
  readonly reservation: ReservationTable;
}

/** Written as text, read as the value. Not `jsonb`, which refuses U+0000 and changes the order of keys. */
export type Json = ColumnType<unknown, string, string>;

export interface PullTable {
  readonly key: string;
  readonly version: number;
  readonly content: Json;
  readonly ended_at: number | null;
  /** `ended_at` counts only for this version. */
  readonly ended_version: number | null;
}

export interface ObligationTable {
  readonly key: string;
  readonly number: Generated<number>;
  readonly pull: string;
  readonly made: Json;
  readonly note: Json;
  readonly state: Json;
  /** Repeats a part of the state: the database cannot look into a text that holds U+0000. */
  readonly state_kind: string;
  readonly is_noted: boolean;
  readonly text: ColumnType<unknown, string | null, string | null>;
  readonly attempts: number;
  /** Whether a late result may still arrive. */
  readonly is_open: GeneratedAlways<boolean>;
  /** As JSON, so that it may be anything. */
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
  readonly wish: Json;
}

export interface DigestTable {
  readonly pull: string;
  readonly digest: Json;
}

/** References that are not yet pokes, as many as one commit has. */
export interface DeliveryGroupTable {
  readonly number: Generated<number>;
  readonly instance: string;
  readonly count: number;
  readonly deliveries: Json;
}

/** Written by older versions only. */
export interface DeliveryTable {
  readonly number: Generated<number>;
  readonly instance: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly pull: number;
  readonly delivery: string | null;
  readonly kind: string;
  readonly received_at: number;
}

/** What waits, runs or is buried under one key: each part is there as a whole or not at all. */
export interface QueuePlaceTable {
  readonly instance: string;
  readonly queue: string;
  readonly key: string;
  readonly waiting_at: number | null;
  readonly waiting_payload: ColumnType<unknown, string | null, string | null>;
  readonly waiting_priority: number | null;
  readonly waiting_attempts: number | null;
  readonly waiting_order: number | null;
  readonly running_until: number | null;
  readonly running_token: string | null;
  readonly running_payload: ColumnType<unknown, string | null, string | null>;
  readonly running_priority: number | null;
  readonly running_attempts: number | null;
  readonly running_order: number | null;
  readonly running_takeovers: number | null;
  readonly buried_since: number | null;
  readonly buried_why: ColumnType<unknown, string | null, string | null>;
  readonly buried_payload: ColumnType<unknown, string | null, string | null>;
  readonly buried_priority: number | null;
  readonly buried_attempts: number | null;
  readonly origin: Generated<string>;
  readonly due_at: GeneratedAlways<number | null>;
  readonly due_priority: GeneratedAlways<number | null>;
  readonly due_order: GeneratedAlways<number | null>;
}

/** Sums are made of it, so each fact has a column. */
export interface SpendTable {
  readonly id: string;
  readonly work: string;
  readonly instance: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly pull: number;
  readonly head: string | null;
  readonly role: string | null;
  readonly purpose: string;
  readonly model: string;
  readonly tokens_in: number;
  readonly tokens_cached: number;
  readonly tokens_out: number;
  readonly cost_micro_usd: number;
  readonly is_priced: boolean;
  readonly ms: number;
  readonly outcome: string;
  readonly delivery: string;
  readonly at: number;
}

export interface ReservationTable {
  readonly work: string;
  readonly holder: string;
  readonly instance: string;
  readonly repository_id: string;
  readonly pull: number;
  readonly left_micro_usd: number;
  readonly until: number;
}
