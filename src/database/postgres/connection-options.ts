import type { ClientConfig } from "pg";

const connectMsMax = 10_000;

/** No statement of ours takes long; one that does waits for a lock that is never released. The server ends it. */
const statementMsMax = 30_000;

/** A worker that was stopped in the middle of a transaction must not hold its rows for ever. */
const idleInTransactionMsMax = 30_000;

/** The server's own limits are for its own slowness. A server that says nothing at all is left a little after them. */
export const silenceMsMax = 40_000;

export function connectionOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMsMax,
    statement_timeout: statementMsMax,
    idle_in_transaction_session_timeout: idleInTransactionMsMax,
    keepAlive: true,
    application_name: "drover",
  };
}
