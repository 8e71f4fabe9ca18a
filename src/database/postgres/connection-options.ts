import type { ClientConfig } from "pg";

const connectMsMax = 10_000;

/** Set on the server. Our statements are quick; a slow one waits for a lock that is never released. */
const statementMsMax = 30_000;

/** A worker that was stopped in a transaction must not hold its rows for ever. */
const idleInTransactionMsMax = 30_000;

/** Longer than the server's own limits: for a server that is silent. */
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
