import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";

/**
 * An open database, embedded or PostgreSQL: from here on nobody can tell which. What a query has answered has survived a
 * kill and a power cut. `open-database.ts` is the one function that opens either.
 */
export interface Database {
  readonly kind: "embedded" | "postgres";
  readonly db: Kysely<Tables>;
  /**
   * Told whenever somebody notifies the channel, over all processes on this database; while the connection is away
   * nothing is heard, and `onNotice` is called once when it is back. Only a hint: whoever listens polls as well.
   */
  listen(channel: string, onNotice: () => void): Promise<ChannelSubscription>;
  close(): Promise<void>;
}

export interface ChannelSubscription {
  stop(): Promise<void>;
}
