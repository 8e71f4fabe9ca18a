import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";

/**
 * An open database, embedded or PostgreSQL: callers cannot see which. What a query has answered has survived a kill
 * and a power cut. `open-database.ts` is the one function that opens either.
 */
export interface Database {
  readonly kind: "embedded" | "postgres";
  readonly db: Kysely<Tables>;
  /**
   * Called whenever a process on this database notifies the channel. While the connection is away, notices are lost,
   * and `onNotice` is called once when it is back. It is only a hint: listeners poll as well.
   */
  listen(channel: string, onNotice: () => void): Promise<ChannelSubscription>;
  close(): Promise<void>;
}

export interface ChannelSubscription {
  stop(): Promise<void>;
}
