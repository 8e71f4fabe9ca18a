import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";

/** What a query has answered has survived a kill and a power cut. */
export interface Database {
  readonly kind: "embedded" | "postgres";
  readonly db: Kysely<Tables>;
  /** Only a hint: notices are lost while the connection is away, and `onNotice` is called once when it is back. */
  listen(channel: string, onNotice: () => void): Promise<ChannelSubscription>;
  close(): Promise<void>;
}

export interface ChannelSubscription {
  stop(): Promise<void>;
}
